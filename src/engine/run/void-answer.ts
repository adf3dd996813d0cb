// An answer that was not made with the credential of the home, or is one to something else than what was asked, is none: the
// question is asked again.
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { ApprovalAnswer } from '../../shared/run-state.ts';
import type { Answers } from './answers.ts';
import type { CallPorts } from './driver-ports.ts';

/** Lapses the question of a call whose answer does not count, and says whether it had to. */
export function voidAnswer({ recorder, answers }: CallPorts, place: EventPlace, call: number): boolean {
  const { stage } = callOf(agentOf(recorder.state, place), call);
  if (stage.kind !== 'waiting' || stage.answer === null) return false;
  const flaw = findFlaw(stage.answer, stage.digest, answers);
  if (flaw === null) return false;
  const because = `the answer ${flaw}`;
  recorder.emit(place, { type: 'approval-lapse', call, request: stage.request, because });
  return true;
}

/** Why an answer is none, as the end of a sentence about it; null: it is one. */
export function findFlaw(
  { seq, digest: shown }: ApprovalAnswer,
  digest: string | null,
  answers: Answers,
): string | null {
  if (!answers.isGenuine(seq)) return 'was not made with the credential of this home';
  return shown === null || shown === digest ? null : 'is to something else than what was asked';
}
