// A person's answer to a question, from whichever process they give it. Everything that could be wrong with it is found
// before anything is written; the journal then decides who was first.
import type { RulePreview } from '../../shared/approval.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { PersonEventBody } from '../../shared/event.ts';
import { foldRun } from '../../shared/fold-run.ts';
import type { RunId } from '../../shared/id.ts';
import { openCredential } from '../approval/credential.ts';
import { toDecisionStatement } from '../approval/decision-statement.ts';
import { rememberRule } from '../approval/remember-rule.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Journal, JournalReader, NewBlob } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createAnswers } from './answers.ts';
import { findWaiting, readApproval } from './approvals.ts';
import { assertMayDecide } from './assert-may-decide.ts';
import { assertRewritable } from './assert-rewritable.ts';
import type { ApprovalRequest, Decided, DecideParams } from './engine.ts';
import { findVoidAnswer } from './find-void-answer.ts';
import { type PlannedMemory, planMemory } from './plan-memory.ts';
import { foldAll } from './recorder.ts';

export interface DecideOptions {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly sandbox: Sandbox;
  readonly params: DecideParams;
}

type Decision = Extract<PersonEventBody, { type: 'approval-decision' }>;

export async function decide({ home, journal, redactor, sandbox, params }: DecideOptions): Promise<Decided> {
  const { reader, writer } = journal;
  const asked = readApproval(reader, params.request);
  const { runId } = asked;
  const state = foldAll(reader, { runId }, null, 0);
  if (asked.answer !== null) throw alreadyAnswered(home, reader, asked);
  if (!findWaiting(state).has(asked.request)) throw notOpen(asked);
  assertShown(asked, params.digest);
  assertMayDecide(reader, state);
  const credential = openCredential(home);
  await assertRewritable({ home, journal, redactor, sandbox, state, asked, params });
  const { decision, remember } = params;
  const memory = remember === undefined ? null : planMemory({ home, reader, state, asked, decision, remember });
  const rewrite = toRewrite(params, redactor);
  const unsigned = toDecision(asked, params, { rewrite, memory, redactor });
  const body: Decision = { ...unsigned, proof: credential.sign(toDecisionStatement(runId, unsigned)) };
  const { agentId, step } = asked;
  const subject = params.decision === 'defer' ? null : asked.request;
  const event = { agentId, step, at: Date.now(), body, subject };
  const appended = await writer.appendPerson(runId, event, rewrite === null ? [] : [rewrite]);
  if (appended.kind === 'already') throw alreadyAnswered(home, reader, readApproval(reader, params.request));
  assertInTime(reader, asked, appended.seq);
  return { request: asked.request, runId, decision: params.decision, remembered: await keep(home, memory) };
}

/** What would be remembered with an approval, before it is given. */
export function previewRemember(
  { home, journal: { reader } }: Pick<DecideOptions, 'home' | 'journal'>,
  request: string,
  remember: NonNullable<DecideParams['remember']>,
): RulePreview {
  const asked = readApproval(reader, request);
  const state = foldAll(reader, { runId: asked.runId }, null, 0);
  return planMemory({ home, reader, state, asked, decision: 'approve', remember }).preview;
}

/** The run may have gone on in the moment before the answer reached the journal: then the answer counts for nothing. */
function assertInTime(reader: JournalReader, asked: ApprovalRequest, seq: number): void {
  const before = foldRun(null, reader.readEvents(asked.runId, 0, seq - 1));
  if (before === null || !findWaiting(before).has(asked.request)) throw notOpen(asked);
}

const notOpen = ({ request, runId }: ApprovalRequest): EngineError =>
  new EngineError(
    'approval-changed',
    `The question ${request} is not open any more: what it was about has changed, or is over.`,
    { remedy: toAskedNow(runId) },
  );

const toAskedNow = (runId: RunId): string => `See what the run asks now with "io-studio approvals --run ${runId}".`;

/** A few digits could be anybody's. */
const leastDigestDigits = 8;

function assertShown({ request, digest }: ApprovalRequest, shown: string | undefined): void {
  if (shown === undefined) return;
  if (shown.length >= leastDigestDigits && digest.startsWith(shown.toLowerCase())) return;
  // The digest is not told: giving it shows that one was shown the request to its end.
  throw new EngineError(
    'approval-changed',
    `That is not the digest of ${request}: what was shown is not what it is about.`,
    {
      remedy: `Look at it again with "io-studio approvals ${request}" and answer that.`,
    },
  );
}

function alreadyAnswered(
  home: string,
  reader: JournalReader,
  { request, runId, answer }: ApprovalRequest,
): EngineError {
  const who = answer === null ? 'somebody' : `${answer.actor} at ${new Date(answer.at).toISOString()}`;
  const what = answer === null ? '' : ` with ${answer.decision}`;
  const answers = createAnswers({ runId, reader, openCredential: () => openCredential(home) });
  const because = findVoidAnswer(reader, { runId, request, answers });
  if (because !== null) {
    const message = `${request} was answered${what} by ${who}. That answer does not count, as ${because}.`;
    return new EngineError('approval-changed', message, { remedy: toAskedNow(runId) });
  }
  return new EngineError('approval-answered', `${request} was answered${what} by ${who}; that answer counts.`, {
    remedy: 'Nothing was changed. List what still waits with "io-studio approvals".',
  });
}

/** Kept as it was written, and sealed where it holds a secret, just as the model's own arguments are. */
function toRewrite({ rewrite }: DecideParams, redactor: Redactor): NewBlob | null {
  if (rewrite === undefined) return null;
  return createBlob(JSON.stringify(rewrite), { origin: 'person', redactor, original: 'seal' });
}

interface DecisionParts {
  readonly rewrite: NewBlob | null;
  readonly memory: PlannedMemory | null;
  readonly redactor: Redactor;
}

function toDecision(
  { request, digest }: ApprovalRequest,
  { decision, actor, reason }: DecideParams,
  { rewrite, memory, redactor }: DecisionParts,
): Decision {
  return {
    type: 'approval-decision',
    request,
    decision,
    actor,
    ...(reason === undefined ? {} : { reason: redactor.redact(reason).text }),
    digest,
    ...(rewrite === null ? {} : { rewrite: rewrite.ref }),
    ...(memory === null ? {} : { remember: memory.remember }),
  };
}

/** The answer counts already: a rule that was remembered for an answer that lost would be one that nobody gave. */
async function keep(home: string, memory: PlannedMemory | null): Promise<Decided['remembered']> {
  if (memory === null) return null;
  const { file, preview, remember } = memory;
  const { scope, rule } = remember;
  const place = file === null ? null : await rememberRule({ home, file, rule, nowMs: Date.now() });
  return { scope, rule, file, preview, overruledBy: place?.overruledBy?.rule.pattern ?? null };
}
