// When an agent waits for people the others go on. Only when all that is left waits does the run end, for all of it at once.
import type { RunOutcome } from '../../shared/outcome.ts';
import { type Action, stop } from './action.ts';

type Stop = Extract<Action, { kind: 'stop' }>;

/** Stops of which the rest of the run takes no notice. */
export const isWaiting = (action: Action): action is Stop => action.kind === 'stop' && isForPeople(action.outcome);

/** People can let go on what has come to such an end. */
export function isForPeople({ kind }: RunOutcome): boolean {
  return kind === 'awaitingApproval' || kind === 'awaitingRecovery' || kind === 'awaitingPlan' || kind === 'paused';
}

/** The one stop that tells what is waited for: what people are asked, before what they have halted themselves. */
export function mergeWaiting(waiting: readonly Stop[]): Stop {
  const outcomes = waiting.map(({ outcome }) => outcome);
  const requests = outcomes.flatMap((outcome) => (outcome.kind === 'awaitingApproval' ? outcome.requests : []));
  if (requests.length > 0) return stop({ kind: 'awaitingApproval', requests });
  const calls = outcomes.flatMap((outcome) => (outcome.kind === 'awaitingRecovery' ? outcome.calls : []));
  if (calls.length > 0) return stop({ kind: 'awaitingRecovery', calls });
  return stop({ kind: outcomes.some(({ kind }) => kind === 'awaitingPlan') ? 'awaitingPlan' : 'paused' });
}
