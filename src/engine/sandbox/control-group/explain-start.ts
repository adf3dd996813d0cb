// A sandbox that did not get as far as its command because its caps leave no room even for what encloses it.
import type { StartFailure } from '../launch.ts';
import type { ControlGroup } from './control-group.ts';

/** The failure, with the cap that was in the way where the kernel tells of one. */
export function explainStart(failure: StartFailure, group: ControlGroup | null): StartFailure {
  const { memoryBytes = null, processes = null } = group?.readRefusals() ?? {};
  if (memoryBytes === null && processes === null) return failure;
  const cap = memoryBytes === null ? 'processes' : 'memory';
  return {
    ...failure,
    reason: `${failure.reason} (its cap on ${cap} was reached before the command began)`,
    advice: `Give the command a higher cap on ${cap}.`,
  };
}
