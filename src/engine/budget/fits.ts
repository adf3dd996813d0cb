// Whether a worst case that is known in full fits what is left of the run's tokens and money.
import type { Reservation } from '../../shared/event.ts';
import type { RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';

/** What may have been billed without an answer counts as spent; where money is limited, a request without a price never fits. */
export function fits({ settings, ledger }: RunState, { inputTokens, outputTokens, costUsd }: Reservation): boolean {
  const { tokens, costUsd: money } = settings.budgets;
  const spentTokens = totalTokens(ledger.settled) + ledger.unknown.tokens;
  if (tokens !== null && spentTokens + inputTokens + outputTokens > tokens) return false;
  if (money === null) return true;
  if (costUsd === null || ledger.costUsd === null || ledger.unknown.costUsd === null) return false;
  return ledger.costUsd + ledger.unknown.costUsd + costUsd <= money;
}
