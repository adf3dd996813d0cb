// The questions that runs have put to people, read from the journal: whoever asks, in whichever process, sees the same ones
// under the same ids.
import { EngineError } from '../../shared/engine-error.ts';
import type { EventOf, JournalEvent } from '../../shared/event.ts';
import { openCallsOf } from '../../shared/find-in-run.ts';
import { RunId } from '../../shared/id.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { ApprovalRequest } from './engine.ts';
import { findOpenRuns } from './find-open-runs.ts';
import { foldAll } from './recorder.ts';
import { readRequestDetails } from './request-details.ts';

/** Open questions, oldest first: of one run, or of all that are not over. */
export function listApprovals(reader: JournalReader, runId: RunId | null): ApprovalRequest[] {
  const runs = runId === null ? findOpenRuns(reader) : [runId];
  return runs.flatMap((run) => listOfRun(reader, run)).toSorted((left, right) => left.raisedAt - right.raisedAt);
}

/** One question, answered or not. Throws `approval-unknown`. */
export function readApproval(reader: JournalReader, request: string): ApprovalRequest {
  const runId = RunId.safeParse(request.split(':', 1)[0]);
  const state =
    runId.success && reader.readHead(runId.data) > 0 ? foldAll(reader, { runId: runId.data }, null, 0) : null;
  const events = state === null ? [] : readApprovalEvents(reader, state.runId);
  const raised = events.find((event) => event.type === 'approval-request' && event.request === request);
  if (state === null || raised?.type !== 'approval-request') throw unknownRequest(request);
  return toRequest(reader, state, raised, events);
}

/** The ids of the questions that still wait in a run; in one that is over none does. */
export function findWaiting(state: RunState): ReadonlySet<string> {
  if (state.outcome !== null && isFinal(state.outcome)) return new Set();
  const waiting = openCallsOf(state).flatMap(({ stage }) =>
    stage.kind === 'waiting' && stage.answer === null ? [stage.request] : [],
  );
  return new Set(waiting);
}

function listOfRun(reader: JournalReader, runId: RunId): ApprovalRequest[] {
  const events = readApprovalEvents(reader, runId);
  if (events.length === 0) return [];
  const state = foldAll(reader, { runId }, null, 0);
  const waiting = findWaiting(state);
  return events.flatMap((event) =>
    event.type === 'approval-request' && waiting.has(event.request) ? [toRequest(reader, state, event, events)] : [],
  );
}

function readApprovalEvents(reader: JournalReader, runId: RunId): JournalEvent[] {
  return reader.readEventsOf(runId, ['approval-request', 'approval-decision', 'review-finish']);
}

function toRequest(
  reader: JournalReader,
  { runId, settings }: RunState,
  event: EventOf<'approval-request'>,
  events: readonly JournalEvent[],
): ApprovalRequest {
  const { request, agentId, step, call, act, target, because, digest, details } = event;
  // Questions of before there were digests: nobody can say any more what they were about.
  if (digest === undefined || details === undefined) throw unknownRequest(request);
  return {
    request,
    runId,
    title: settings.title,
    agentId,
    step,
    call,
    act,
    target,
    because,
    raisedAt: event.at,
    digest,
    details: readRequestDetails(reader, details),
    answer: findAnswer(request, events),
  };
}

function findAnswer(request: string, events: readonly JournalEvent[]): ApprovalRequest['answer'] {
  for (const event of events) {
    if (event.type !== 'approval-decision' && event.type !== 'review-finish') continue;
    if (event.request !== request || event.decision === 'defer') continue;
    const actor = event.type === 'approval-decision' ? event.actor : `model:${event.model}`;
    return { decision: event.decision, actor, at: event.at };
  }
  return null;
}

const unknownRequest = (request: string): EngineError =>
  new EngineError('approval-unknown', `There is no question "${request}" in this home.`, {
    remedy: 'List those that wait with "io-studio approvals", and give the --home that the run was started with.',
  });
