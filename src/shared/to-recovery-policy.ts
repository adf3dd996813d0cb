import type { Posture } from './event.ts';
import type { RecoveryPolicy } from './recovery.ts';

/** Where nobody has chosen: whoever answers the questions of a run settles its calls too, and a model cannot. */
export function toRecoveryPolicy(chosen: RecoveryPolicy | null, posture: Posture): RecoveryPolicy {
  if (chosen !== null) return chosen;
  return posture === 'ask' || posture === 'defer' ? 'ask' : 'tell-model';
}
