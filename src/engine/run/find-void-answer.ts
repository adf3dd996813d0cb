// Whether the answer that a question was given counts. It may have come too late, the question may have been withdrawn before the
// run acted on it, and anybody who can write to the store can write one: whoever is told that they were second is told the truth.
import type { JournalEvent } from '../../shared/event.ts';
import { applyEvent, foldRun } from '../../shared/fold-run.ts';
import type { RunId } from '../../shared/id.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { CallStage, RunState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { Answers } from './answers.ts';
import { findFlaw } from './void-answer.ts';

/** Why the answer to `request` does not count, as part of a sentence; null: it does. */
export function findVoidAnswer(
  reader: Pick<JournalReader, 'readEvents'>,
  { runId, request, answers }: { readonly runId: RunId; readonly request: string; readonly answers: Answers },
): string | null {
  let state: RunState | null = null;
  let standing: Question | null = null;
  let because: string | null = 'its question was not open any more when it came';
  for (const event of readAll(reader, runId)) {
    if (state === null) state = foldRun(null, [event]);
    else applyEvent(state, event);
    const stage: Question | null = state === null ? null : findQuestion(state, request);
    if (stage !== null && stage.answer !== null) because = null;
    else if (standing !== null && standing.answer !== null) because = carriesOut(event, standing) ? null : withdrawn;
    standing = stage === null ? null : { ...stage };
  }
  if (standing === null || standing.answer === null) return because;
  if (state !== null && state.outcome !== null && isFinal(state.outcome)) return withdrawn;
  const flaw = findFlawOf(standing, answers);
  return flaw === null ? null : `it ${flaw}`;
}

type Question = Extract<CallStage, { kind: 'waiting' | 'unsettled' }>;

const withdrawn = 'its question was withdrawn before the run had gone by it';
const batchSize = 500;

function* readAll(reader: Pick<JournalReader, 'readEvents'>, runId: RunId): Generator<JournalEvent> {
  for (let seq = 0; ; ) {
    const events = reader.readEvents(runId, seq, batchSize);
    yield* events;
    seq = events.at(-1)?.seq ?? seq;
    if (events.length < batchSize) return;
  }
}

function findQuestion({ agents }: RunState, request: string): Question | null {
  for (const { phase } of Object.values(agents)) {
    for (const { stage } of phase.kind === 'acting' ? phase.calls : []) {
      if ((stage.kind === 'waiting' || stage.kind === 'unsettled') && stage.request === request) return stage;
    }
  }
  return null;
}

/** Whether it was this answer that the run went by when the question was over. */
function carriesOut({ type }: JournalEvent, { kind, answer }: Question): boolean {
  if (kind === 'unsettled') return type === 'call-finish' || (answer?.decision === 'retry' && type === 'act-judged');
  return type === (answer?.decision === 'approve' ? 'call-start' : 'call-finish');
}

function findFlawOf(question: Question, answers: Answers): string | null {
  if (question.answer === null) return null;
  if (question.kind === 'waiting') return findFlaw(question.answer, question.digest, answers);
  return answers.isGenuine(question.answer.seq) ? null : 'was not made with the credential of this home';
}
