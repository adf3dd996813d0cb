// Names that say whose a thing outside the home is: they begin with a tag made of the pid, the start, the machine, the boot
// and the pid namespace of the engine. The name comes into being together with the thing, so there is never one whose owner
// nobody can tell, however an engine ends.
import { createHash } from 'node:crypto';
import { isOwnerAlive } from './is-owner-alive.ts';
import { type ProcessIdentity, readProcessIdentity, readProcessState, readSystemIdentity } from './process-identity.ts';

/** The tag of the calling process. */
export function readOwnTag(): string {
  ownTag ??= toTag(readProcessIdentity());
  return ownTag;
}

let ownTag: string | undefined;

/** Exported for names that an engine other than this one would give. */
export function toTag(identity: ProcessIdentity): string {
  const { pid, startTime, machineId, bootId, pidNamespace } = identity;
  return [pid, ...[startTime, machineId, bootId, pidNamespace].map(shorten)].join('-');
}

/** A path is not to become so long that no socket fits in the directory; unknown stays empty. */
function shorten(text: string): string {
  return text === '' ? '' : createHash('sha256').update(text).digest('hex').slice(0, 6);
}

export interface TagOwner {
  readonly tag: string;
  /** In doubt it is. */
  readonly isAlive: boolean;
  /** Something it started may still run: the machine was not restarted since. */
  readonly isOfThisBoot: boolean;
}

/** The engine that gave this name; null when no engine did. */
export function readTagOwner(name: string): TagOwner | null {
  const [tag, pid, startTime = '', machineId = '', bootId = '', pidNamespace = ''] = tagPattern.exec(name) ?? [];
  if (tag === undefined || pid === undefined) return null;
  const system = readSystemIdentity();
  const here = {
    machineId: shorten(system.machineId),
    bootId: shorten(system.bootId),
    pidNamespace: shorten(system.pidNamespace),
  };
  const owner: ProcessIdentity = { pid: Number(pid), startTime, machineId, bootId, pidNamespace };
  const { alive } = isOwnerAlive(owner, { system: here, readState: readShortState });
  return { tag, isAlive: alive, isOfThisBoot: bootId === here.bootId };
}

const tagPattern = /^([1-9]\d{0,9})-([0-9a-f]{6})?-([0-9a-f]{6})?-([0-9a-f]{6})?-([0-9a-f]{6})?(?=\.|$)/;

function readShortState(pid: number) {
  const state = readProcessState(pid);
  return state === null ? null : { ...state, startTime: shorten(state.startTime) };
}
