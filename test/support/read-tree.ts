// What the journal and the server's log of a run with agents say about its ceilings.
import { boundInputTokens } from '../../src/engine/budget/bound-request.ts';
import { budgetsOf, ledgerOf, settingsOf } from '../../src/shared/agent-tree.ts';
import type { JournalEvent, Reservation } from '../../src/shared/event.ts';
import { applyEvent, foldRun } from '../../src/shared/fold-run.ts';
import type { AgentState, RunState } from '../../src/shared/run-state.ts';
import { totalTokens } from '../../src/shared/usage.ts';
import type { WireMessage } from './scripted-model-script.ts';
import type { LoggedRequest } from './scripted-model-server.ts';
import { findAgent } from './tree-script.ts';

/** The state after each event; the object is the same one every time. */
export function* walkStates(events: readonly JournalEvent[]): Generator<{ state: RunState; event: JournalEvent }> {
  const [start, ...rest] = events;
  const state = start === undefined ? null : foldRun(null, [start]);
  if (state === null) throw new Error('There is no run');
  for (const event of rest) {
    applyEvent(state, event);
    yield { state, event };
  }
}

/** Agents that were over their own ceiling of tokens or money at any moment, by what was spent or may have been. */
export function findOverspent(events: readonly JournalEvent[]): string[] {
  const over = new Set<string>();
  for (const { state } of walkStates(events)) {
    for (const agent of Object.values(state.agents)) if (isOver(state, agent)) over.add(agent.agentId);
  }
  return [...over];
}

function isOver(state: RunState, agent: AgentState): boolean {
  const { tokens, costUsd } = budgetsOf(state, agent);
  const { settled, unknown, costUsd: spentUsd } = ledgerOf(state, agent);
  if (tokens !== null && totalTokens(settled) + unknown.tokens > tokens) return true;
  return costUsd !== null && (spentUsd ?? 0) + (unknown.costUsd ?? 0) > costUsd + 1e-9;
}

/** A reply of this many tokens is the least that is asked for. */
const leastReply = 256;

/** What the tree had left, beyond its smallest request, for agents that ended because of their tokens; the largest first. */
export function listUnused(events: readonly JournalEvent[]): number[] {
  const unused: number[] = [];
  let left = new Map<string, number>();
  for (const { state, event } of walkStates(events)) {
    if (event.type === 'agent-finish' && event.outcome.kind === 'budget') unused.push(left.get(event.agentId) ?? 0);
    left = new Map(Object.values(state.agents).map((agent) => [agent.agentId, leftBeyondLeast(state, agent)]));
  }
  return unused.sort((first, second) => second - first);
}

function leftBeyondLeast(state: RunState, agent: AgentState): number {
  const { tokens } = state.settings.budgets;
  const { settled, unknown } = state.ledger;
  const spent = totalTokens(settled) + unknown.tokens;
  return (tokens ?? Number.POSITIVE_INFINITY) - spent - boundInputTokens(agent, settingsOf(state, agent)) - leastReply;
}

/** The reservation of each agent's first request. */
export function readFirstReservations(events: readonly JournalEvent[]): Map<string, Reservation> {
  const found = new Map<string, Reservation>();
  for (const event of events) {
    if (event.type === 'model-start' && !found.has(event.agentId)) found.set(event.agentId, event.reservation);
  }
  return found;
}

/** Who sent each request, in the order in which they came. */
export const listAskers = (requests: readonly LoggedRequest[]): string[] =>
  requests.map(({ body }) => findAgent({ messages: toMessages(body?.messages) }));

const toMessages = (messages: unknown): WireMessage[] => (Array.isArray(messages) ? messages : []);

/** The most requests of spawned agents that were open at once. */
export function countMostOpen(requests: readonly LoggedRequest[]): number {
  const askers = listAskers(requests);
  const spawned = requests.filter((_, place) => askers[place] !== 'root');
  const openAt = (momentMs: number): number =>
    spawned.filter(({ arrivedAt, finishedAt }) => arrivedAt <= momentMs && (finishedAt ?? Infinity) > momentMs).length;
  return Math.max(0, ...spawned.map(({ arrivedAt }) => openAt(arrivedAt)));
}
