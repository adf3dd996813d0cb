// What a run waits for people to say, of either kind, in the order in which it was asked.
import type { ApprovalRequest, Engine, RecoveryRequest, RunId } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';

export type WaitingQuestion =
  | { readonly kind: 'approval'; readonly id: string; readonly approval: ApprovalRequest }
  | { readonly kind: 'recovery'; readonly id: string; readonly recovery: RecoveryRequest };

/** Oldest first. */
export async function listWaiting(
  engine: Pick<Engine, 'listApprovals' | 'listRecoveries'>,
  runId: RunId,
): Promise<WaitingQuestion[]> {
  const [approvals, recoveries] = await Promise.all([engine.listApprovals(runId), engine.listRecoveries(runId)]);
  const questions: WaitingQuestion[] = [
    ...recoveries.map((recovery) => ({ kind: 'recovery', id: recovery.request, recovery }) as const),
    ...approvals.map((approval) => ({ kind: 'approval', id: approval.request, approval }) as const),
  ];
  return questions.toSorted((left, right) => toRaisedAt(left) - toRaisedAt(right));
}

/** The question in a few words. */
export function describeWaiting(question: WaitingQuestion): string {
  if (question.kind === 'approval') return toVisible(`${question.approval.act} ${question.approval.target}`);
  const { tool, target } = question.recovery;
  return `what became of ${toVisible(`${tool} ${target}`.trimEnd())}`;
}

const toRaisedAt = (question: WaitingQuestion): number =>
  question.kind === 'approval' ? question.approval.raisedAt : question.recovery.raisedAt;
