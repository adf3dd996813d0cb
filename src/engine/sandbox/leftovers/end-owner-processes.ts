// Ends what one dead engine has left running, before another goes on with its run: its commands would otherwise work on
// beside those of its successor. It says so when that cannot be brought about, or cannot be seen from here.

import { toTag } from '../../process/owner-tag.ts';
import { type ProcessIdentity, readSystemIdentity } from '../../process/process-identity.ts';
import { endLeftProcesses } from './end-left-processes.ts';
import { findDeadEngines, type LeftoverPlaces } from './find-dead-engines.ts';
import { listLeftSandboxes } from './list-left-sandboxes.ts';
import { findLeftoverPlaces } from './sweep-leftovers.ts';

export type OwnerEnding =
  /** Nothing that it recorded runs any more. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'survivors'; readonly pids: readonly number[] }
  /** It was among processes that cannot be seen from here. */
  | { readonly kind: 'unseen' };

export interface DeadOwner extends ProcessIdentity {
  /** Its directory for temporary files; empty where that is not known. */
  readonly temporary: string;
}

/** `owner` is known to be dead. Bounded by a few seconds; its directories are left to the sweep. */
export async function endOwnerProcesses(owner: DeadOwner, places?: LeftoverPlaces): Promise<OwnerEnding> {
  const system = readSystemIdentity();
  const isOtherBoot = owner.bootId !== '' && system.bootId !== '' && owner.bootId !== system.bootId;
  if (isOtherBoot) return { kind: 'ended' }; // That is how it was known to be dead: nothing outlives its kernel.
  if (owner.machineId !== system.machineId || owner.pidNamespace !== system.pidNamespace) {
    // The first process of a namespace takes all others with it.
    return owner.pid === 1 ? { kind: 'ended' } : { kind: 'unseen' };
  }
  const others = owner.temporary === '' ? [] : [owner.temporary];
  const engines = findDeadEngines(places ?? findLeftoverPlaces(others)).filter(({ tag }) => tag === toTag(owner));
  const { survivors } = await endLeftProcesses(engines.flatMap(listLeftSandboxes));
  return survivors.length === 0 ? { kind: 'ended' } : { kind: 'survivors', pids: survivors.map(({ pid }) => pid) };
}
