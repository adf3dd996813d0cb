// What the ledgers that a request is paid from leave for it: that of the agent and that of everybody it works for. What may
// have been billed without an answer counts as spent, what is set aside for other requests as taken.
import { budgetsOf, ledgerOf, pathOf } from '../../shared/agent-tree.ts';
import type { Reservation } from '../../shared/event.ts';
import type { AgentState, RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';

/** What one ledger leaves. */
export interface Room {
  /** Infinite where there is no limit. */
  readonly tokens: number;
  readonly costUsd: number;
  /** What it would leave if nothing of all that is set aside were needed. */
  readonly atBest: { readonly tokens: number; readonly costUsd: number };
}

/** Of the agent first, of the root last. */
export function roomLeft(state: RunState, agent: AgentState): Room[] {
  return [...pathOf(state, agent)].map((each) => {
    const { tokens, costUsd } = budgetsOf(state, each);
    const { settled, costUsd: spentUsd, unknown, outstanding } = ledgerOf(state, each);
    const atBest = {
      tokens: tokens === null ? Number.POSITIVE_INFINITY : tokens - totalTokens(settled) - unknown.tokens,
      costUsd: costUsd === null ? Number.POSITIVE_INFINITY : leftUsd(costUsd, spentUsd, unknown.costUsd),
    };
    return { tokens: atBest.tokens - outstanding.tokens, costUsd: atBest.costUsd - outstanding.costUsd, atBest };
  });
}

/** Where something was spent that nobody knows the price of, nothing is left. */
const leftUsd = (limitUsd: number, spentUsd: number | null, unknownUsd: number | null): number =>
  spentUsd === null || unknownUsd === null ? 0 : limitUsd - spentUsd - unknownUsd;

/** Whether a worst case that is known in full fits. Where money is limited, a request without a price never does. */
export function fits(room: Room, { inputTokens, outputTokens, costUsd }: Reservation): boolean {
  if (inputTokens + outputTokens > room.tokens) return false;
  return room.costUsd === Number.POSITIVE_INFINITY || (costUsd !== null && costUsd <= room.costUsd);
}
