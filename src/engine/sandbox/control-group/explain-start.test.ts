import { expect, it } from 'vitest';
import type { Refusals } from '../launch.ts';
import type { ControlGroup } from './control-group.ts';
import { explainStart } from './explain-start.ts';

const failure = { kind: 'not-started', stage: 'sandbox', reason: 'it could not be built' } as const;

function explain(refusals: Refusals) {
  const group: ControlGroup = {
    path: '/g',
    keeps: new Set(),
    readUsage: () => ({ processes: null, cpuMs: null, memoryBytes: null }),
    readRefusals: () => refusals,
    kill: () => undefined,
    isEmpty: () => true,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return explainStart(failure, group);
}

it('a start that failed for another reason is told as it was', () => {
  expect([explainStart(failure, null), explain({}), explain({ memoryBytes: null, processes: null })]).toEqual([
    failure,
    failure,
    failure,
  ]);
});

it.each([
  ['memory', { memoryBytes: 4096, processes: null }],
  ['processes', { memoryBytes: null, processes: 1 }],
])('a start that failed for lack of %s says so, and what to do', (cap, refusals) => {
  expect(explain(refusals)).toEqual({
    ...failure,
    reason: `it could not be built (its cap on ${cap} was reached before the command began)`,
    advice: `Give the command a higher cap on ${cap}.`,
  });
});
