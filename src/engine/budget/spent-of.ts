import { activeMsOf, ledgerOf } from '../../shared/agent-tree.ts';
import type { BudgetWhich } from '../../shared/outcome.ts';
import type { AgentState, RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';

/**
 * How much of a budget cannot be had back: used, perhaps billed, or set aside for a request that has left. Null where nobody
 * knows, which is money that was spent without a price.
 */
export function spentOf(state: RunState, agent: AgentState, which: BudgetWhich): number | null {
  const { settled, costUsd, unknown, outstanding } = ledgerOf(state, agent);
  switch (which) {
    case 'steps':
      return agent.step;
    case 'wallMs':
      return activeMsOf(agent, state.activeMs);
    case 'tokens':
      return totalTokens(settled) + unknown.tokens + outstanding.tokens;
    case 'costUsd':
      return costUsd === null || unknown.costUsd === null ? null : costUsd + unknown.costUsd + outstanding.costUsd;
    case 'riskyActs':
      return state.riskyActs;
  }
}
