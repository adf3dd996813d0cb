import { activeMsOf, budgetsOf, ledgerOf } from '../../shared/agent-tree.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { BudgetWhich } from '../../shared/outcome.ts';
import type { AgentState, LedgerState, RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';

/** One sentence for people: which limit stopped the agent, and how it stands. The limit may be that of one it works for. */
export function describeSpent(state: RunState, agent: AgentState, which: BudgetWhich): string {
  const budgets = budgetsOf(state, agent);
  const ledger = ledgerOf(state, agent);
  switch (which) {
    case 'steps':
      return `All ${budgets.steps} steps are used.`;
    case 'wallMs':
      return `${Math.round(activeMsOf(agent, state.activeMs) / 1000)} s of ${(budgets.wallMs ?? 0) / 1000} s active time are used.`;
    case 'tokens':
      return `${totalTokens(ledger.settled)} of ${budgets.tokens} tokens are used${describeUnknown(ledger)}; the next request could need more than is left.`;
    case 'costUsd':
      return `$${(ledger.costUsd ?? 0).toFixed(4)} of $${budgets.costUsd} is spent${describeUnknown(ledger)}; the next request could cost more than is left.`;
    case 'riskyActs':
      return `All ${budgets.riskyActs} acts that need a yes are used.`;
    default:
      return assertNever(which);
  }
}

function describeUnknown({ unknown }: LedgerState): string {
  if (unknown.requests === 0) return '';
  return `, and ${unknown.requests} unanswered request${unknown.requests === 1 ? '' : 's'} may have been billed too`;
}
