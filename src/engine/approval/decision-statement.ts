// What a decision says, whole: everything that gives it an effect stands here, so that nothing of it can be exchanged once
// it is signed.
import type { ApprovalChoice, Remember } from '../../shared/approval.ts';
import type { PersonEventBody } from '../../shared/event.ts';
import type { BlobHash, RunId } from '../../shared/id.ts';
import type { RecoveryChoice } from '../../shared/recovery.ts';
import { toCanonicalText } from '../../shared/to-canonical-text.ts';

type DecisionBody = Extract<PersonEventBody, { type: 'approval-decision' }>;
type RecoveryBody = Extract<PersonEventBody, { type: 'recovery-decision' }>;

export interface DecisionStatement {
  readonly runId: RunId;
  readonly request: string;
  /** Of what was shown to whoever decided; null in decisions that name none. */
  readonly digest: string | null;
  readonly decision: ApprovalChoice;
  readonly actor: string;
  readonly reason: string | null;
  /** Hash of the arguments that take the place of the model's. */
  readonly rewrite: BlobHash | null;
  readonly remember: Remember | null;
}

/** What an event says: the same before it is appended and after it was read. */
export function toDecisionStatement(runId: RunId, body: DecisionBody): DecisionStatement {
  return {
    runId,
    request: body.request,
    digest: body.digest ?? null,
    decision: body.decision,
    actor: body.actor,
    reason: body.reason ?? null,
    rewrite: body.rewrite?.hash ?? null,
    remember: body.remember ?? null,
  };
}

/** What is said about a call that a crash interrupted. */
export interface RecoveryStatement {
  readonly kind: 'recovery';
  readonly runId: RunId;
  readonly request: string | null;
  readonly decision: RecoveryChoice;
  readonly actor: string;
  readonly reason: string | null;
  /** Hash of what the call is said to have come to. */
  readonly result: BlobHash | null;
}

export function toRecoveryStatement(runId: RunId, body: RecoveryBody): RecoveryStatement {
  const { request = null, decision, actor, reason = null, result } = body;
  return { kind: 'recovery', runId, request, decision, actor, reason, result: result?.hash ?? null };
}

export type Statement = DecisionStatement | RecoveryStatement;

/** The text that is signed. It begins with its kind: no other signed text of this engine can be taken for it. */
export function toStatementText(statement: Statement): string {
  if ('kind' in statement) {
    const { runId, request, decision, actor, reason, result } = statement;
    return `io-studio recovery decision 1\n${toCanonicalText({ runId, request, decision, actor, reason, result })}`;
  }
  const { runId, request, digest, decision, actor, reason, rewrite, remember } = statement;
  const fields = { runId, request, digest, decision, actor, reason, rewrite, remember };
  return `io-studio approval decision 1\n${toCanonicalText(fields)}`;
}
