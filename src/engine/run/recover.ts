// A person's decision about a call that a crash interrupted, from whichever process they give it. Everything that could be
// wrong with it is found before anything is written; the journal then decides who was first.
import { EngineError } from '../../shared/engine-error.ts';
import type { PersonEventBody } from '../../shared/event.ts';
import { foldRun } from '../../shared/fold-run.ts';
import { openCredential } from '../approval/credential.ts';
import { toRecoveryStatement } from '../approval/decision-statement.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Journal, JournalReader, NewBlob } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import { createAnswers } from './answers.ts';
import { assertMayDecide } from './assert-may-decide.ts';
import type { Recovered, RecoverParams, RecoveryRequest } from './engine.ts';
import { findVoidAnswer } from './find-void-answer.ts';
import { foldAll } from './recorder.ts';
import { findUnsettled, readRecovery } from './recoveries.ts';

export interface RecoverOptions {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly params: RecoverParams;
}

type Decision = Extract<PersonEventBody, { type: 'recovery-decision' }>;

export async function recover({ home, journal, redactor, params }: RecoverOptions): Promise<Recovered> {
  const { reader, writer } = journal;
  const { request, decision } = params;
  assertResult(params);
  const asked = readRecovery(reader, request);
  const { runId, agentId, step } = asked;
  const state = foldAll(reader, { runId }, null, 0);
  if (asked.answer !== null) throw alreadyDecided(home, reader, asked);
  if (!findUnsettled(state).has(request)) throw notOpen(asked);
  assertMayDecide(reader, state);
  const result = params.result === undefined ? null : createBlob(params.result, { origin: 'person', redactor });
  const unsigned = toDecision(asked, params, result, redactor);
  const body: Decision = { ...unsigned, proof: openCredential(home).sign(toRecoveryStatement(runId, unsigned)) };
  const subject = decision === 'defer' ? null : request;
  const event = { agentId, step, at: Date.now(), body, subject };
  const appended = await writer.appendPerson(runId, event, result === null ? [] : [result]);
  if (appended.kind === 'already') throw alreadyDecided(home, reader, readRecovery(reader, request));
  // The run may have gone on in the moment before: then the decision counts for nothing.
  const before = foldRun(null, reader.readEvents(runId, 0, appended.seq - 1));
  if (before === null || !findUnsettled(before).has(request)) throw notOpen(asked);
  return { request, runId, decision };
}

function assertResult({ decision, result }: RecoverParams): void {
  if ((decision === 'completed') === (result !== undefined)) return;
  const what = decision === 'completed' ? 'A call that was carried out needs' : `"${decision}" does not go with`;
  throw new EngineError('usage', `${what} a result.`, {
    remedy:
      'A result is what the model will be told that the call came to; it may be empty, and goes with completed alone.',
  });
}

function toDecision(
  { call, request }: RecoveryRequest,
  { decision, actor, reason }: RecoverParams,
  result: NewBlob | null,
  redactor: Redactor,
): Decision {
  return {
    type: 'recovery-decision',
    call,
    request,
    decision,
    actor,
    ...(reason === undefined ? {} : { reason: redactor.redact(reason).text }),
    ...(result === null ? {} : { result: result.ref }),
  };
}

function alreadyDecided(home: string, reader: JournalReader, { request, runId, answer }: RecoveryRequest): EngineError {
  const who = answer === null ? '' : ` by ${answer.actor} at ${new Date(answer.at).toISOString()}: ${answer.decision}`;
  const answers = createAnswers({ runId, reader, openCredential: () => openCredential(home) });
  const because = findVoidAnswer(reader, { runId, request, answers });
  if (because !== null) {
    const message = `${request} was decided${who}. That decision does not count, as ${because}.`;
    return new EngineError('recovery-answered', message, {
      remedy: `See what waits now with "io-studio recoveries --run ${runId}".`,
    });
  }
  return new EngineError('recovery-answered', `${request} was decided${who}; that decision counts.`, {
    remedy: 'Nothing was changed. List what still waits with "io-studio recoveries".',
  });
}

const notOpen = ({ request, runId }: RecoveryRequest): EngineError =>
  new EngineError(
    'recovery-answered',
    `${request} is not open any more: the run has gone on, was taken back, or is over.`,
    {
      remedy: `See what became of it with "io-studio trace ${runId}".`,
    },
  );
