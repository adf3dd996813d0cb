// How agents come into the state of a run, end in it, and hear of each other.
import type { EventOf } from './event.ts';
import { agentOf, callOf } from './find-in-run.ts';
import type { AgentId } from './id.ts';
import { addToLabel, emptyLabel, inheritSource, type Label } from './provenance.ts';
import type { AgentState, Assignment, RunState } from './run-state.ts';
import { startAgent, startLedger } from './start-run-state.ts';

/** The call that asked for it is held until it ends, or goes on at once where nobody waits for it. */
export function spawnAgent(state: RunState, parent: AgentState, event: EventOf<'agent-spawn'>): void {
  const { call, child, system, prompt, detached = false } = event;
  const label = emptyLabel();
  // Whoever wrote its task may have been talked into it.
  inheritLabel(label, parent.label, parent.agentId, 0);
  addToLabel(label, { origin: 'agent', target: parent.agentId, step: 0 }, false);
  state.agents[child] = startAgent({ agentId: child, system, prompt, label, assignment: toAssignment(parent, event) });
  parent.children.push(child);
  if (detached) return;
  const until = { kind: 'agents', agents: [child] } as const;
  callOf(parent, call).stage = { kind: 'held', until, untilActiveMs: null, isPatient: true };
}

function toAssignment(parent: AgentState, event: EventOf<'agent-spawn'>): Assignment {
  const { step, call, title, task, verification, budgets, tools, toolBytes, model = null, price } = event;
  return {
    parent: parent.agentId,
    depth: (parent.assignment?.depth ?? 0) + 1,
    ...{ step, call, title, task, verification, budgets, tools, toolBytes, model, price },
    startedActiveMs: event.activeMs,
    isDetached: event.detached ?? false,
    isCollected: false,
    ledger: startLedger(price),
    worktree: event.worktree === undefined ? null : { ...event.worktree, changed: [], writers: {} },
  };
}

export function finishAgent(agent: AgentState, { outcome, report }: EventOf<'agent-finish'>): void {
  agent.ended = { outcome, report };
}

/** What a call was told of how agents ended; their words come with what they had been shown. */
export function collectAgents(state: RunState, agent: AgentState, children: readonly AgentId[]): void {
  for (const child of children) {
    const { assignment, label } = agentOf(state, { agentId: child });
    if (assignment !== null) assignment.isCollected = true;
    inheritLabel(agent.label, label, child, agent.step);
  }
}

export function holdCall(state: RunState, agent: AgentState, event: EventOf<'call-hold'>): void {
  const { call, until, untilActiveMs } = event;
  const isPatient = untilActiveMs === null || untilActiveMs - state.activeMs >= patientMs;
  callOf(agent, call).stage = { kind: 'held', until, untilActiveMs, isPatient };
}

/** Whoever waits for less asks again and again. */
const patientMs = 5_000;

export function sendMail(state: RunState, sender: AgentState, { to, content }: EventOf<'mail-send'>): void {
  const label = { ...sender.label, origins: [...sender.label.origins] };
  agentOf(state, { agentId: to }).mailbox.push({ from: sender.agentId, content, label });
}

/** The oldest so many have been read. */
export function readMail(agent: AgentState, count: number): void {
  for (const { from, label } of agent.mailbox.splice(0, count)) inheritLabel(agent.label, label, from, agent.step);
}

/** Whoever hears of an agent may be told anything that the agent was told. */
function inheritLabel(label: Label, other: Label, from: AgentId, step: number): void {
  for (const origin of other.origins) if (!label.origins.includes(origin)) label.origins.push(origin);
  const { untrusted, sensitive } = other;
  if (untrusted !== null) label.untrusted ??= { ...inheritSource(untrusted, from), step };
  if (sensitive !== null) label.sensitive ??= { ...inheritSource(sensitive, from), step };
}

/** The wishes that a word about `agentId` changes: for the root and for nobody in particular, those of the run. */
export function wishesOf(state: RunState, agentId: AgentId | undefined) {
  const named = agentId === undefined ? undefined : agentOf(state, { agentId });
  return named === undefined || named.assignment === null ? state.wishes : named.wishes;
}

export function raiseCeiling(state: RunState, { agent, budget, limit }: EventOf<'ceiling-raise'>): void {
  const assignment = agent === undefined ? null : agentOf(state, { agentId: agent }).assignment;
  const held = assignment ?? state.settings;
  held.budgets = { ...held.budgets, [budget]: limit };
}
