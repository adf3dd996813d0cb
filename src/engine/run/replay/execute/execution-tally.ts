// How much was run again, and what was not.
import type { Execution, UnrunCall } from '../../engine.ts';

export interface ExecutionTally {
  /** A call or a check came to what was recorded. */
  count(kind: 'call' | 'check'): void;
  leave(call: UnrunCall): void;
  toExecution(missing: Pick<Execution, 'missed' | 'untold'>): Execution;
}

const maxNamed = 100;

export function createExecutionTally(): ExecutionTally {
  const counts = { call: 0, check: 0 };
  const unrun: UnrunCall[] = [];
  let unrunCalls = 0;
  return {
    count: (kind) => void counts[kind]++,
    leave(call) {
      unrunCalls += 1;
      if (unrun.length < maxNamed) unrun.push(call);
    },
    toExecution: ({ missed, untold }) => ({
      calls: counts.call,
      checks: counts.check,
      unrunCalls,
      unrun,
      missed,
      untold,
    }),
  };
}
