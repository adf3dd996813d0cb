// Ends agents: what they have kept going ends first, and what each leaves to be told is kept for the one it works for.
import { agentOf } from '../../../shared/find-in-run.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { RunOutcome } from '../../../shared/outcome.ts';
import type { AgentState } from '../../../shared/run-state.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { CallPorts } from '../driver-ports.ts';
import { recordProcesses } from '../record-processes.ts';
import { isDone, toKeptLine } from './merge-worktree.ts';

export interface Ending {
  readonly ports: CallPorts;
  readonly agentId: AgentId;
  readonly outcome: RunOutcome;
}

/** In this order, which has those below an agent before it. All of it is durable when it resolves. */
export async function endAgents(endings: readonly Ending[]): Promise<void> {
  // At once: each may take as long as its processes are given to end by themselves.
  await Promise.all(endings.map(({ ports }) => ports.processes[Symbol.asyncDispose]()));
  for (const ending of endings) await recordEnd(ending);
  await endings[0]?.ports.recorder.commit();
}

async function recordEnd({ ports, agentId, outcome }: Ending): Promise<void> {
  const { recorder, redactor, clock } = ports;
  const place = { agentId, step: agentOf(recorder.state, { agentId }).step };
  await recordProcesses(ports, place);
  const text = toReport(ports.transcript, agentOf(recorder.state, { agentId }), outcome);
  const report = createBlob(text, { origin: 'agent', redactor });
  recorder.emit(place, { type: 'agent-finish', outcome, report: report.ref, activeMs: clock.activeMs() }, [report]);
}

const maxCharacters = 20_000;

export function toReport(
  transcript: CallPorts['transcript'],
  { context, agentId, step, assignment }: AgentState,
  outcome: RunOutcome,
): string {
  const worktree = assignment?.worktree ?? null;
  const kept = worktree === null || isDone(outcome) ? '' : `\nNothing was taken over. ${toKeptLine(worktree)}`;
  const head = `${agentId} ended after ${step} turns: ${describeOutcome(outcome)}${kept}`;
  const reply = context.findLast((item) => item.role === 'assistant');
  const said = reply === undefined ? '' : transcript.readReply(reply.blob).text.trim();
  if (said === '') return head;
  const whole = said.toWellFormed();
  return `${head}\nIt says:\n${whole.length <= maxCharacters ? whole : `${whole.slice(0, maxCharacters)}\n[cut off]`}`;
}

function describeOutcome(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case 'met':
      return 'its check holds.';
    case 'finished':
      return 'it says it is done; nothing was checked.';
    case 'cancelled':
      return `it was cancelled by ${outcome.by}.`;
    case 'providerFailed':
      return `not done, its model failed: ${outcome.reason}`;
    default:
      return `not done (${outcome.kind}). ${'reason' in outcome ? outcome.reason : ''}`;
  }
}
