import { assertNever } from '../../shared/assert-never.ts';
import type { BudgetWhich } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';

/** One sentence for people: which limit stopped the run, and how it stands. */
export function describeSpent(state: RunState, which: BudgetWhich): string {
  const { budgets } = state.settings;
  switch (which) {
    case 'steps':
      return `All ${budgets.steps} steps are used.`;
    case 'wallMs':
      return `${Math.round(state.activeMs / 1000)} s of ${(budgets.wallMs ?? 0) / 1000} s active time are used.`;
    case 'tokens':
      return `${totalTokens(state.ledger.settled)} of ${budgets.tokens} tokens are used${describeUnknown(state)}; the next request could need more than is left.`;
    case 'costUsd':
      return `$${(state.ledger.costUsd ?? 0).toFixed(4)} of $${budgets.costUsd} is spent${describeUnknown(state)}; the next request could cost more than is left.`;
    case 'riskyActs':
      return `All ${budgets.riskyActs} acts that need a yes are used.`;
    default:
      return assertNever(which);
  }
}

function describeUnknown({ ledger: { unknown } }: RunState): string {
  if (unknown.requests === 0) return '';
  return `, and ${unknown.requests} unanswered request${unknown.requests === 1 ? '' : 's'} may have been billed too`;
}
