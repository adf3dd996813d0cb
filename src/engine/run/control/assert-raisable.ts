// Whether a budget can have another limit: one that is a limit, that its spending can be held to, and not passed already.
import { EngineError } from '../../../shared/engine-error.ts';
import type { BudgetWhich } from '../../../shared/outcome.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';
import { Budgets } from '../../../shared/task-contract.ts';
import { spentOf } from '../../budget/spent-of.ts';

export interface Ceiling {
  readonly budget: BudgetWhich;
  /** Null lifts it. */
  readonly limit: number | null;
}

/** Throws `usage`, `unpriced` and `ceiling-spent`. */
export function assertRaisable(state: RunState, agent: AgentState, { budget, limit }: Ceiling): void {
  const { agentId, assignment } = agent;
  if (assignment !== null && budget === 'riskyActs') {
    throw new EngineError('usage', `${agentId} has no budget of its own for risky acts: the run has one.`, {
      remedy: 'Leave the agent out to set that of the run.',
    });
  }
  if (limit === null) return;
  if (!Budgets.shape[budget].safeParse(limit).success) {
    throw new EngineError('usage', `${limit} is no limit for ${budget}.`, {
      remedy: 'Give a whole number above 0 (money may have a fraction), or none to lift the limit.',
    });
  }
  const spent = spentOf(state, agent, budget);
  if (spent === null) {
    throw new EngineError('unpriced', `${agentId} has spent money without a known price, so no limit can hold it.`, {
      remedy: 'Limit its tokens instead, or lift the limit.',
    });
  }
  if (limit >= spent) return;
  throw new EngineError('ceiling-spent', `${agentId} has used ${spent} of ${budget} already, more than ${limit}.`, {
    remedy: `Give at least ${spent}, or cancel the agent: what is spent cannot be taken back.`,
  });
}
