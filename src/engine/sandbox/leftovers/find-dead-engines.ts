// What engines that are dead have left behind, engine by engine. Only what bears the tag of a dead engine, is no link, and
// belongs to the engine's user or to one that a sandbox had: whatever else lies there is somebody else's.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTagOwner, type TagOwner } from '../../process/owner-tag.ts';
import { identityRange } from '../identity/identity-range.ts';
import { findHeldNumbers, type HeldNumber } from '../identity/number-locks.ts';

export interface LeftoverPlaces {
  readonly bases: readonly string[];
  /** Where the numbers of users are locked; null where none are. */
  readonly locks: string | null;
  /** The control group in which groups of sandboxes may lie; null where there is none. */
  readonly controlGroups: string | null;
}

export interface DeadEngine {
  readonly tag: string;
  /** Something it started may still run: the machine was not restarted since. */
  readonly isOfThisBoot: boolean;
  readonly paths: string[];
  readonly numbers: HeldNumber[];
  readonly controlGroups: string[];
}

export function findDeadEngines({ bases, locks, controlGroups }: LeftoverPlaces): DeadEngine[] {
  const engines = new Map<string, DeadEngine>();
  const findEngine = (name: string): DeadEngine | undefined => {
    const owner = readTagOwner(name);
    if (owner === null || owner.isAlive) return undefined;
    const engine = engines.get(owner.tag) ?? toEngine(owner);
    engines.set(owner.tag, engine);
    return engine;
  };
  for (const path of bases.flatMap(listOwnPaths)) findEngine(path.name)?.paths.push(path.path);
  for (const { name, path } of controlGroups === null ? [] : listOwnPaths(controlGroups)) {
    findEngine(name)?.controlGroups.push(path);
  }
  for (const held of locks === null ? [] : findHeldNumbers(locks)) findEngine(held.holder)?.numbers.push(held);
  return [...engines.values()];
}

const toEngine = ({ tag, isOfThisBoot }: TagOwner): DeadEngine => ({
  tag,
  isOfThisBoot,
  paths: [],
  numbers: [],
  controlGroups: [],
});

function listOwnPaths(base: string): { readonly name: string; readonly path: string }[] {
  return listNames(base)
    .map((name) => ({ name, path: join(base, name) }))
    .filter(({ path }) => isOwn(path));
}

function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !(stats.isDirectory() || stats.isFile())) return false;
  const { uid } = stats;
  const ownUid = process.geteuid?.() ?? uid;
  return uid === ownUid || (ownUid === 0 && uid >= identityRange.first && uid <= identityRange.last);
}

function listNames(base: string): string[] {
  try {
    return readdirSync(base);
  } catch {
    return []; // Its user has just removed it.
  }
}
