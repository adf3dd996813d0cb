// What is said about the agents of a run, made again: whom a call brought into being and with which words, whom it waits for,
// what was said to whom, and what was told of those that ended.
import type { BlobRef } from '../../../shared/blob-ref.ts';
import type { EventOf } from '../../../shared/event.ts';
import { agentOf, callOf } from '../../../shared/find-in-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { toCanonicalText } from '../../../shared/to-canonical-text.ts';
import { readAgentCall } from '../../tool/agent/read-agent-call.ts';
import type { PreparedCall } from '../../tool/tool.ts';
import { toAddressee } from '../agents/begin-agent-call.ts';
import { toReport } from '../agents/end-agent.ts';
import { findMergeable } from '../agents/merge-worktree.ts';
import { toRelease, toReportsText } from '../agents/release-call.ts';
import { toSpawn } from '../agents/to-spawn.ts';
import { findCallOf } from '../proposed-call.ts';
import type { ComparePorts } from './compare-ports.ts';
import { compare, type Mismatch } from './divergence.ts';

export function compareSpawn(ports: ComparePorts, state: RunState, event: EventOf<'agent-spawn'>): Mismatch | null {
  const wish = readCall(ports, state, event);
  if (wish?.kind !== 'spawn') return compare('call', 'one that asks for an agent', wish?.kind ?? 'none');
  const { tools } = ports.driver.toolsOf(agentOf(state, event));
  const priceOf = () => event.price; // The list of then is not kept.
  const { worktree } = event;
  const apart = compare('worktree', String(wish.isApart), String(worktree !== undefined));
  if (apart !== null) return apart;
  const source = { ...ports, tools, priceOf, ...(worktree === undefined ? {} : { worktree }) };
  const { body } = toSpawn(source, state, event, event.call, wish);
  const { system, prompt, ...told } = body;
  const { runId, agentId, step, seq, at, activeMs, system: gotSystem, prompt: gotPrompt, ...got } = event;
  const mismatch = compare(`agent ${event.child}`, toCanonicalText(told), toCanonicalText(got));
  if (mismatch !== null || !ports.isOwnVersion) return mismatch;
  return compare('prompt', `${system.hash} ${prompt.hash}`, `${gotSystem.hash} ${gotPrompt.hash}`);
}

export function compareHold(ports: ComparePorts, state: RunState, event: EventOf<'call-hold'>): Mismatch | null {
  const wait = readCall(ports, state, event);
  if (wait?.kind !== 'hold') return compare('call', 'one that waits', wait?.kind ?? 'none');
  const expected = { until: wait.until, isBounded: wait.ms !== null };
  const got = { until: event.until, isBounded: event.untilActiveMs !== null };
  return compare('wait', toCanonicalText(expected), toCanonicalText(got));
}

export function compareMail(ports: ComparePorts, state: RunState, event: EventOf<'mail-send'>): Mismatch | null {
  const mail = readCall(ports, state, event);
  if (mail?.kind !== 'mail') return compare('call', 'one that sends a message', mail?.kind ?? 'none');
  return (
    compare('addressee', toAddressee(state, event, mail.to) ?? 'nobody', event.to) ??
    compareText(ports, 'message', mail.text, event.content)
  );
}

export function compareReport(ports: ComparePorts, state: RunState, event: EventOf<'agent-finish'>): Mismatch | null {
  const text = toReport(ports.transcript, agentOf(state, event), event.outcome);
  return compareText(ports, 'report', text, event.report);
}

/** What a call was told that had waited for others. */
export function compareRelease(ports: ComparePorts, state: RunState, event: EventOf<'call-finish'>): Mismatch | null {
  const agent = agentOf(state, event);
  const { stage } = callOf(agent, event.call);
  if (stage.kind !== 'held') return null;
  // What was said while the answer was put together is told with the next one.
  const heard = { mail: event.mail ?? 0, agents: event.agents ?? [] };
  const { text } = toRelease({ reader: ports.reader, state }, agent, stage, heard);
  // What is told besides of a worktree lies outside of the journal.
  if (findMergeable(state, event, event.call) !== null) return null;
  return compareText(ports, 'answer', text, event.result);
}

export const compareReports = (ports: ComparePorts, state: RunState, event: EventOf<'observation'>): Mismatch | null =>
  compareText(ports, 'reports', toReportsText(ports.reader, state, event.agents ?? []), event.content);

type AgentCallEvent = EventOf<'agent-spawn' | 'call-hold' | 'mail-send'>;

/** With the arguments that somebody gave it in place of the model's, where somebody did. */
function readCall({ reader, transcript }: ComparePorts, state: RunState, event: AgentCallEvent): PreparedCall | null {
  const agent = agentOf(state, event);
  const { rewrite } = callOf(agent, event.call);
  const { tool, arguments: own } = findCallOf(transcript, agent, event.call);
  const text = rewrite === null ? own : new TextDecoder().decode(reader.readOriginal(rewrite.hash));
  return readAgentCall(tool, text);
}

function compareText(
  { reader, redactor }: ComparePorts,
  what: string,
  text: string,
  { hash }: BlobRef,
): Mismatch | null {
  const got = new TextDecoder().decode(reader.readBlob(hash));
  return compare(what, redactor.redact(text.toWellFormed()).text, got);
}
