// What requests and replies change: the ledger, and what the agent has to do next.
import type { EventOf } from './event.ts';
import { addToContext } from './fold-context.ts';
import type { AgentPhase, AgentState, RunState } from './run-state.ts';
import { totalTokens, type Usage } from './usage.ts';

export function finishModel(state: RunState, agent: AgentState, event: EventOf<'model-finish'>): void {
  settle(state, event.usage, event.costUsd);
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
    calls: calls.map(({ call, id, tool, unusable }) => ({
      call,
      id,
      tool,
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
  if (event.charge === 'unknown') chargeUnknown(state);
  if (event.usage !== undefined) settle(state, event.usage, event.costUsd ?? null);
  state.ledger.reserved = null;
  agent.failures += 1;
  agent.phase =
    event.retryAtMs === null
      ? { kind: 'failed', failure: event.failure, message: event.message }
      : { kind: 'backing-off', attempt: event.attempt, untilActiveMs: event.activeMs + toDelayMs(event) };
}

const toDelayMs = ({ at, retryAtMs }: EventOf<'model-fail'>): number => Math.max(0, (retryAtMs ?? at) - at);

/** A review that gave no account of itself may have been billed at its worst case. */
export function settleReview(state: RunState, { usage, costUsd }: EventOf<'review-finish'>): void {
  if (usage === null) chargeUnknown(state);
  else settle(state, usage, costUsd);
}

/** The open request may have been billed although its reply is not there: its worst case stays on the ledger. */
export function chargeUnknown(state: RunState): void {
  const { reserved, unknown } = state.ledger;
  if (reserved === null) return;
  state.ledger.unknown = {
    requests: unknown.requests + 1,
    tokens: unknown.tokens + reserved.inputTokens + reserved.outputTokens,
    costUsd: addCost(unknown.costUsd, reserved.costUsd),
  };
  state.ledger.reserved = null;
}

function settle({ ledger }: RunState, usage: Usage, costUsd: number | null): void {
  const { settled } = ledger;
  ledger.settled = {
    inputTokens: settled.inputTokens + usage.inputTokens,
    outputTokens: settled.outputTokens + usage.outputTokens,
    cachedInputTokens: settled.cachedInputTokens + usage.cachedInputTokens,
  };
  ledger.costUsd = addCost(ledger.costUsd, costUsd);
  ledger.reserved = null;
}

const addCost = (total: number | null, more: number | null): number | null =>
  total === null || more === null ? null : total + more;
