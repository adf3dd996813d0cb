// The gate of the ledgers: before a request leaves, its worst case must fit what is left of the agent's own limits and of
// everybody's it works for.
import { settingsOf } from '../../shared/agent-tree.ts';
import type { Reservation } from '../../shared/event.ts';
import type { AgentState, RunSettings, RunState } from '../../shared/run-state.ts';
import { type Price, toCostUsd } from '../../shared/usage.ts';
import { boundInputTokens } from './bound-request.ts';
import { fits, roomLeft } from './room-left.ts';

/** A reply shorter than this could not even hold a small edit, so asking for it would waste the input. */
const leastOutputTokens = 256;

export type ReserveResult =
  | { readonly kind: 'reserved'; readonly reservation: Reservation }
  /** Not as things are: what is set aside for others may turn out to be more than they need. */
  | { readonly kind: 'outstanding' }
  | { readonly kind: 'spent'; readonly which: 'tokens' | 'costUsd' };

/** Sets aside the worst case of the agent's next request: its input bound and the output limit, clamped to what is left. */
export function reserve(state: RunState, agent: AgentState): ReserveResult {
  const settings = settingsOf(state, agent);
  const inputTokens = boundInputTokens(agent, settings);
  const toReservation = (outputTokens: number): Reservation => ({
    inputTokens,
    outputTokens,
    costUsd: settings.price === null ? null : toCostUsd({ inputTokens, outputTokens }, settings.price),
  });
  const whole = toReservation(settings.maxOutputTokens);
  const tight = roomLeft(state, agent).filter((room) => !fits(room, whole));
  if (tight.length === 0) return { kind: 'reserved', reservation: whole };
  const toOutput = (rooms: readonly Left[]): number =>
    Math.min(settings.maxOutputTokens, ...rooms.map((room) => outputWithin(room, settings, inputTokens)));
  const least = Math.min(leastOutputTokens, settings.maxOutputTokens);
  const atBest = toOutput(tight.map((room) => room.atBest));
  if (atBest < least) {
    const lacksTokens = tight.some((room) => room.atBest.tokens - inputTokens < least);
    return { kind: 'spent', which: lacksTokens ? 'tokens' : 'costUsd' };
  }
  const outputTokens = toOutput(tight);
  return outputTokens < atBest
    ? { kind: 'outstanding' }
    : { kind: 'reserved', reservation: toReservation(outputTokens) };
}

interface Left {
  readonly tokens: number;
  readonly costUsd: number;
}

function outputWithin({ tokens, costUsd }: Left, { price }: RunSettings, inputTokens: number): number {
  return Math.min(tokens - inputTokens, outputWithinMoney(costUsd, price, inputTokens));
}

function outputWithinMoney(leftUsd: number, price: Price | null, inputTokens: number): number {
  if (leftUsd === Number.POSITIVE_INFINITY) return leftUsd;
  if (price === null) return 0;
  const forOutput = leftUsd - toCostUsd({ inputTokens, outputTokens: 0 }, price);
  if (forOutput < 0) return 0;
  return price.outputPerMTok === 0
    ? Number.POSITIVE_INFINITY
    : Math.floor((forOutput / price.outputPerMTok) * 1_000_000);
}
