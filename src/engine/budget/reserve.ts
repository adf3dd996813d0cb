// The ledger's gate: before a request leaves, its worst case must fit what is left. What may have been billed without an
// answer counts as spent.
import type { Reservation } from '../../shared/event.ts';
import type { AgentState, RunState } from '../../shared/run-state.ts';
import { toCostUsd, totalTokens } from '../../shared/usage.ts';
import { boundInputTokens } from './bound-request.ts';

/** A reply shorter than this could not even hold a small edit, so asking for it would waste the input. */
const leastOutputTokens = 256;

export type ReserveResult =
  | { readonly kind: 'reserved'; readonly reservation: Reservation }
  | { readonly kind: 'spent'; readonly which: 'tokens' | 'costUsd' };

/** Sets aside the worst case of the agent's next request: its input bound and the output limit, clamped to what is left. */
export function reserve(state: RunState, agent: AgentState): ReserveResult {
  const { settings } = state;
  const inputTokens = boundInputTokens(agent, settings);
  const least = Math.min(leastOutputTokens, settings.maxOutputTokens);
  const byTokens = outputWithinTokens(state, inputTokens);
  if (byTokens < least) return { kind: 'spent', which: 'tokens' };
  const byMoney = outputWithinMoney(state, inputTokens);
  if (byMoney < least) return { kind: 'spent', which: 'costUsd' };
  const outputTokens = Math.min(settings.maxOutputTokens, byTokens, byMoney);
  const costUsd = settings.price === null ? null : toCostUsd({ inputTokens, outputTokens }, settings.price);
  return { kind: 'reserved', reservation: { inputTokens, outputTokens, costUsd } };
}

function outputWithinTokens({ settings, ledger }: RunState, inputTokens: number): number {
  if (settings.budgets.tokens === null) return Number.POSITIVE_INFINITY;
  return settings.budgets.tokens - totalTokens(ledger.settled) - ledger.unknown.tokens - inputTokens;
}

function outputWithinMoney({ settings, ledger }: RunState, inputTokens: number): number {
  const { price, budgets } = settings;
  if (budgets.costUsd === null) return Number.POSITIVE_INFINITY;
  if (price === null || ledger.costUsd === null || ledger.unknown.costUsd === null) return 0;
  const left = budgets.costUsd - ledger.costUsd - ledger.unknown.costUsd;
  const forOutput = left - toCostUsd({ inputTokens, outputTokens: 0 }, price);
  if (forOutput < 0) return 0;
  return price.outputPerMTok === 0
    ? Number.POSITIVE_INFINITY
    : Math.floor((forOutput / price.outputPerMTok) * 1_000_000);
}
