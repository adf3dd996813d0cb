// The calls of which a person is to say what became, read from the journal: whoever asks, in whichever process, sees the
// same ones under the same ids.
import { EngineError } from '../../shared/engine-error.ts';
import type { EventOf, JournalEvent } from '../../shared/event.ts';
import { openCallsOf } from '../../shared/find-in-run.ts';
import { RunId } from '../../shared/id.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { RecoveryRequest } from './engine.ts';
import { findOpenRuns } from './find-open-runs.ts';
import { foldAll } from './recorder.ts';

/** Undecided ones, oldest first: of one run, or of all that are not over. */
export function listRecoveries(reader: JournalReader, runId: RunId | null): RecoveryRequest[] {
  const runs = runId === null ? findOpenRuns(reader) : [runId];
  return runs.flatMap((run) => listOfRun(reader, run)).toSorted((left, right) => left.raisedAt - right.raisedAt);
}

/** One of them, decided or not. Throws `recovery-unknown`. */
export function readRecovery(reader: JournalReader, request: string): RecoveryRequest {
  const runId = RunId.safeParse(request.split(':', 1)[0]);
  if (!runId.success || reader.readHead(runId.data) === 0) throw unknownRecovery(request);
  const events = readRecoveryEvents(reader, runId.data);
  const raised = events.find((event) => event.type === 'recovery-request' && event.request === request);
  if (raised?.type !== 'recovery-request') throw unknownRecovery(request);
  return toRecovery(reader, foldAll(reader, { runId: runId.data }, null, 0), raised, events);
}

/** The ids of the questions that still wait in a run; in one that is over none does. */
export function findUnsettled(state: RunState): ReadonlySet<string> {
  if (state.outcome !== null && isFinal(state.outcome)) return new Set();
  return new Set(
    openCallsOf(state).flatMap(({ stage }) =>
      stage.kind === 'unsettled' && stage.answer === null ? [stage.request] : [],
    ),
  );
}

function listOfRun(reader: JournalReader, runId: RunId): RecoveryRequest[] {
  if (reader.readEventsOf(runId, ['recovery-request']).length === 0) return [];
  const events = readRecoveryEvents(reader, runId);
  const state = foldAll(reader, { runId }, null, 0);
  const open = findUnsettled(state);
  return events.flatMap((event) =>
    event.type === 'recovery-request' && open.has(event.request) ? [toRecovery(reader, state, event, events)] : [],
  );
}

function readRecoveryEvents(reader: JournalReader, runId: RunId): JournalEvent[] {
  return reader.readEventsOf(runId, ['call-start', 'recovery-request', 'recovery-decision']);
}

function toRecovery(
  reader: JournalReader,
  { runId, settings }: RunState,
  event: EventOf<'recovery-request'>,
  events: readonly JournalEvent[],
): RecoveryRequest {
  const { request, agentId, step, call, tool, target, because, at } = event;
  const started = events.findLast(
    (other) =>
      other.type === 'call-start' &&
      other.seq < event.seq &&
      other.agentId === agentId &&
      other.step === step &&
      other.call === call,
  );
  return {
    request,
    runId,
    title: settings.title,
    agentId,
    step,
    call,
    tool,
    target,
    arguments: new TextDecoder().decode(reader.readBlob(event.arguments.hash)),
    because,
    startedAt: started?.at ?? at,
    raisedAt: at,
    answer: findAnswer(request, events),
  };
}

function findAnswer(request: string, events: readonly JournalEvent[]): RecoveryRequest['answer'] {
  for (const event of events) {
    if (event.type !== 'recovery-decision' || event.request !== request || event.decision === 'defer') continue;
    return { decision: event.decision, actor: event.actor, at: event.at };
  }
  return null;
}

const unknownRecovery = (request: string): EngineError =>
  new EngineError('recovery-unknown', `There is no interrupted call "${request}" to decide about in this home.`, {
    remedy: 'List those that wait with "io-studio recoveries", and give the --home that the run was started with.',
  });
