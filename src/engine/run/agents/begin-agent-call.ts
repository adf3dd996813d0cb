// Starts a call that concerns other agents. What cannot be done is an observation that says why, and has changed nothing.
import type { EventPlace } from '../../../shared/event.ts';
import { agentOf, findAgent } from '../../../shared/find-in-run.ts';
import { AgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { CallPorts } from '../driver-ports.ts';
import { finishCall } from '../finish-call.ts';
import type { ReadyCall } from '../proposed-call.ts';
import type { AgentCall, HoldCall, MailCall } from './agent-call.ts';
import { findSpawnFault } from './find-spawn-fault.ts';
import { findMailboxFault, waitsFor } from './mailbox.ts';
import { spawnAgent } from './spawn-agent.ts';

export interface AgentCallStart {
  readonly ready: ReadyCall;
  readonly plan: AgentCall;
  readonly risky: boolean;
  /** The request whose approval the start consumes. */
  readonly approval: string | null;
}

/** Durable after the next commit, all of it or nothing. An agent that works apart comes when its worktree is made. */
export function beginAgentCall(ports: CallPorts, place: EventPlace, start: AgentCallStart): void {
  const { ready, plan, risky, approval } = start;
  const { call, tool, target } = ready;
  const fault = findFault(ports, place, plan);
  if (fault !== null) {
    finishCall(ports, place, { call, tool: tool.name, target, status: 'failed', text: fault, origin: 'engine' });
    return;
  }
  const consumed = approval === null ? {} : { approval };
  ports.recorder.emit(place, { type: 'call-start', call, tool: tool.name, class: 'repeat', risky, ...consumed });
  switch (plan.kind) {
    case 'spawn':
      if (!plan.isApart) spawnAgent(ports, place, ready, plan);
      break;
    case 'hold':
      holdCall(ports, place, call, plan);
      break;
    case 'mail':
      sendMail(ports, place, ready, plan);
  }
}

function findFault({ recorder, ...ports }: CallPorts, place: EventPlace, plan: AgentCall): string | null {
  const { state } = recorder;
  switch (plan.kind) {
    case 'spawn':
      return findSpawnFault(state, place, plan, { ...ports, tools: [...ports.tools.keys()] });
    case 'hold':
      return plan.until.kind === 'agents' ? findStranger(state, place, plan.until.agents) : null;
    case 'mail':
      return findDeadLetter(state, place, plan);
  }
}

function findStranger(state: RunState, place: EventPlace, agents: readonly string[]): string | null {
  const { children } = agentOf(state, place);
  const stranger = agents.find((agentId) => !children.some((child) => child === agentId));
  if (stranger === undefined) return null;
  const own = children.length === 0 ? 'You have spawned none.' : `Yours are: ${listNames(children)}.`;
  return `${JSON.stringify(stranger)} is no agent that you have spawned. ${own}`;
}

function findDeadLetter(state: RunState, place: EventPlace, { to, text }: MailCall): string | null {
  const addressee = toAddressee(state, place, to);
  const found = addressee === null ? undefined : findAgent(state, addressee);
  if (found === undefined || found.agentId === place.agentId) {
    const others = Object.keys(state.agents).filter((agentId) => agentId !== place.agentId);
    return `Nothing was sent: there is no other agent ${JSON.stringify(to)}. There are: ${listNames(others)}.`;
  }
  if (found.ended !== null) return `Nothing was sent: ${found.agentId} has ended (${found.ended.outcome.kind}).`;
  const fault = findMailboxFault(found, Buffer.byteLength(text));
  return fault === null ? null : `Nothing was sent: ${fault}`;
}

const maxNames = 20;

function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return `${names.slice(0, maxNames).join(', ')}${more}`;
}

/** Null for a name that nobody can have. */
export function toAddressee(state: RunState, place: EventPlace, to: string): AgentId | null {
  if (to === 'parent') return agentOf(state, place).assignment?.parent ?? null;
  return AgentId.safeParse(to).data ?? null;
}

function holdCall({ recorder, clock }: CallPorts, place: EventPlace, call: number, { until, ms }: HoldCall): void {
  const untilActiveMs = ms === null ? null : clock.activeMs() + ms;
  const named =
    until.kind === 'mail'
      ? until
      : { kind: 'agents' as const, agents: until.agents.map((name) => AgentId.parse(name)) };
  recorder.emit(place, { type: 'call-hold', call, until: named, untilActiveMs });
}

function sendMail(
  ports: CallPorts,
  place: EventPlace,
  { call, tool, target }: ReadyCall,
  { to, text }: MailCall,
): void {
  const { recorder, redactor } = ports;
  const addressee = toAddressee(recorder.state, place, to);
  if (addressee === null) return;
  const content = createBlob(text.toWellFormed(), { origin: 'agent', redactor });
  recorder.emit(place, { type: 'mail-send', call, to: addressee, content: content.ref }, [content]);
  const waits = waitsFor(agentOf(recorder.state, { agentId: addressee }), place.agentId);
  const told = waits
    ? `Sent to ${addressee}, which waits for your end and reads it after that.`
    : `Sent to ${addressee}.`;
  finishCall(ports, place, { call, tool: tool.name, target, status: 'ok', text: told, origin: 'engine' });
}
