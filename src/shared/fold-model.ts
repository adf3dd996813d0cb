// What requests and replies change: the ledger, and what the agent has to do next.
import { ledgerOf, pathOf } from './agent-tree.ts';
import type { EventOf, Reservation } from './event.ts';
import { addToContext } from './fold-context.ts';
import type { AgentPhase, AgentState, LedgerState, RunState } from './run-state.ts';
import { totalTokens, type Usage } from './usage.ts';

export function finishModel(state: RunState, agent: AgentState, event: EventOf<'model-finish'>): void {
  settle(state, agent, event.usage, event.costUsd);
  agent.failures = 0;
  addToContext(agent, { role: 'assistant', blob: event.message });
  // An upper bound is no count: taken for one, it would empty the context long before the window is full.
  agent.counted = event.usageEstimated ? null : { tokens: totalTokens(event.usage), bytesSince: 0, itemsSince: 0 };
  agent.phase = toPhase(event);
  if (agent.phase.kind === 'claiming') agent.claims += 1;
}

function toPhase({ calls, finish }: EventOf<'model-finish'>): AgentPhase {
  const isWhole = finish !== 'length' && finish !== 'filter';
  if (calls.length === 0) return isWhole ? { kind: 'claiming' } : { kind: 'cut-off' };
  return {
    kind: 'acting',
    calls: calls.map(({ call, id, tool, fingerprint, unusable }) => ({
      call,
      id,
      tool,
      fingerprint: fingerprint ?? null,
      stage: { kind: 'proposed', unusable: unusable ?? null },
      rounds: 0,
      recoveries: 0,
      rewrite: null,
      lapsed: null,
      staged: null,
      isSensitive: false,
    })),
  };
}

export function failModel(state: RunState, agent: AgentState, event: EventOf<'model-fail'>): void {
  if (event.charge === 'unknown') chargeUnknown(state, agent);
  if (event.usage !== undefined) settle(state, agent, event.usage, event.costUsd ?? null);
  release(state, agent);
  if (event.failure !== 'aborted') agent.failures += 1; // What people or time have cut off has not failed.
  agent.phase =
    event.retryAtMs === null
      ? { kind: 'failed', failure: event.failure, message: event.message }
      : { kind: 'backing-off', attempt: event.attempt, untilActiveMs: event.activeMs + toDelayMs(event) };
}

const toDelayMs = ({ at, retryAtMs }: EventOf<'model-fail'>): number => Math.max(0, (retryAtMs ?? at) - at);

/** A review that gave no account of itself may have been billed at its worst case. */
export function settleReview(state: RunState, agent: AgentState, { usage, costUsd }: EventOf<'review-finish'>): void {
  if (usage === null) chargeUnknown(state, agent);
  else settle(state, agent, usage, costUsd);
}

/** Sets aside the worst case of a request that is about to leave, on every ledger that it is paid from. */
export function setAside(state: RunState, agent: AgentState, reservation: Reservation): void {
  agent.reserved = reservation;
  for (const { outstanding } of ledgersOf(state, agent)) {
    outstanding.requests += 1;
    outstanding.tokens += reservation.inputTokens + reservation.outputTokens;
    outstanding.costUsd += reservation.costUsd ?? 0;
  }
}

/** What was set aside for the open request is free again, for whichever amount it is settled. */
function release(state: RunState, agent: AgentState): void {
  const { reserved } = agent;
  if (reserved === null) return;
  agent.reserved = null;
  for (const { outstanding } of ledgersOf(state, agent)) {
    outstanding.requests -= 1;
    outstanding.tokens -= reserved.inputTokens + reserved.outputTokens;
    // Sums and differences of fractions leave a rest: with the last request there is none.
    outstanding.costUsd = outstanding.requests === 0 ? 0 : outstanding.costUsd - (reserved.costUsd ?? 0);
  }
}

/** The open request may have been billed although its reply is not there: its worst case stays on the ledger. */
export function chargeUnknown(state: RunState, agent: AgentState): void {
  const { reserved } = agent;
  if (reserved === null) return;
  for (const ledger of ledgersOf(state, agent)) {
    const { requests, tokens, costUsd } = ledger.unknown;
    ledger.unknown = {
      requests: requests + 1,
      tokens: tokens + reserved.inputTokens + reserved.outputTokens,
      costUsd: addCost(costUsd, reserved.costUsd),
    };
  }
  release(state, agent);
}

function settle(state: RunState, agent: AgentState, usage: Usage, costUsd: number | null): void {
  for (const ledger of ledgersOf(state, agent)) {
    const { settled } = ledger;
    ledger.settled = {
      inputTokens: settled.inputTokens + usage.inputTokens,
      outputTokens: settled.outputTokens + usage.outputTokens,
      cachedInputTokens: settled.cachedInputTokens + usage.cachedInputTokens,
    };
    ledger.costUsd = addCost(ledger.costUsd, costUsd);
  }
  release(state, agent);
}

/** Its own, and that of everybody it works for. */
function* ledgersOf(state: RunState, agent: AgentState): Generator<LedgerState> {
  for (const each of pathOf(state, agent)) yield ledgerOf(state, each);
}

const addCost = (total: number | null, more: number | null): number | null =>
  total === null || more === null ? null : total + more;
