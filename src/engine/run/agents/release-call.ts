// Ends the wait of a call: what it is told is what has come of it until now.
import { hasEnded } from '../../../shared/agent-tree.ts';
import type { EventPlace } from '../../../shared/event.ts';
import { agentOf, callOf } from '../../../shared/find-in-run.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { AgentState, CallStage, RunState } from '../../../shared/run-state.ts';
import type { CallPorts } from '../driver-ports.ts';
import { type CallEnd, finishCall } from '../finish-call.ts';
import { findCall } from '../proposed-call.ts';
import { takeMail } from './mailbox.ts';
import { findMergeable, mergeWorktree } from './merge-worktree.ts';

export async function releaseCall(ports: CallPorts, place: EventPlace, call: number): Promise<void> {
  const heard = listHeard(ports.recorder.state, place, call);
  await ports.recorder.commit(); // It is read out of the journal.
  const { state } = ports.recorder;
  const agent = agentOf(state, place);
  const { stage } = callOf(agent, call);
  if (stage.kind !== 'held') return;
  const { tool } = findCall(ports, place, call);
  const told = toRelease({ reader: ports.reader, state }, agent, stage, heard);
  const end = { call, tool, status: 'ok', origin: 'agent', ...told } as const;
  const merged = findMergeable(state, place, call);
  if (merged === null) finishCall(ports, place, end);
  else await mergeWorktree(ports, place, end, merged);
}

/** How much of the mailbox a call is told, and of the ends of which agents. */
export interface Heard {
  readonly mail: number;
  readonly agents: readonly AgentId[];
}

/** Up to now: what is said while this becomes durable may not be so itself. */
function listHeard(state: RunState, place: EventPlace, call: number): Heard {
  const agent = agentOf(state, place);
  const { stage } = callOf(agent, call);
  if (stage.kind !== 'held') return { mail: 0, agents: [] };
  if (stage.until.kind === 'mail') return { mail: takeMail(agent).length, agents: [] };
  return { mail: 0, agents: stage.until.agents.filter((agentId) => hasEnded(state, agentId)) };
}

type Reader = Pick<CallPorts['reader'], 'readBlob'>;

/** What the call is told. */
export function toRelease(
  { reader, state }: { readonly reader: Reader; readonly state: RunState },
  { mailbox }: AgentState,
  { until }: Extract<CallStage, { kind: 'held' }>,
  { mail, agents }: Heard,
): Pick<CallEnd, 'target' | 'text' | 'agents' | 'mail'> {
  if (until.kind === 'mail') {
    const texts = mailbox.slice(0, mail).map(({ from, content }) => `From ${from}:\n${readText(reader, content.hash)}`);
    const left = mailbox.length - mail;
    if (left > 0) texts.push(`More wait to be read: ${left}.`);
    return { target: '', text: texts.join('\n\n') || 'There is no message.', mail };
  }
  const open = until.agents.filter((agentId) => !agents.includes(agentId));
  const texts = [
    ...agents.map((agentId) => readReport(reader, state, agentId)),
    ...open.map((agentId) => `${agentId} is still at work.`),
  ];
  return { target: until.agents.join(' '), text: texts.join('\n\n'), agents };
}

/** In the order in which they were spawned, whoever ended first. */
export const toReportsText = (reader: Reader, state: RunState, agents: readonly AgentId[]): string =>
  agents.map((agentId) => readReport(reader, state, agentId)).join('\n\n');

/** What an agent that has ended left to be told. */
function readReport(reader: Reader, state: RunState, agentId: AgentId): string {
  const { ended } = agentOf(state, { agentId });
  const report = ended?.report ?? null;
  return report === null ? `${agentId} has left nothing: what it did was taken back.` : readText(reader, report.hash);
}

const readText = (reader: Reader, hash: Parameters<Reader['readBlob']>[0]): string =>
  new TextDecoder().decode(reader.readBlob(hash));
