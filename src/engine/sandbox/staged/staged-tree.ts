// What a command left, as it is compared with the workspace. An overlay and a copy differ in how they tell what the command
// touched, and in how they tell what somebody else did meanwhile; everything else about changes is the same for both.
import { type BigIntStats, chmodSync, lstatSync, readdirSync } from 'node:fs';
import type { HeldDirectory } from '../held-directory.ts';

export interface StagedTree {
  readonly root: StagedDirectory;
  /** Whether what lies there now (null: nothing) is not what the command began with. Asked of all but directories. */
  isForeign(path: string, now: BigIntStats | null): boolean;
}

export interface StagedDirectory {
  /**
   * The names, as the file system has them, under which something may be different from the workspace's directory of this
   * path; null: it has none, so that everything is new.
   */
  listNames(path: string, before: HeldDirectory | null): readonly Buffer[];
  /** What the command left under a name; null: nothing. */
  lookUp(name: string): Entry<StagedDirectory> | null;
  close(): void;
}

/** Something on one of the sides. */
export interface Entry<Directory> {
  /** By which the file system reaches it; no link on the way can redirect it. */
  readonly at: string;
  readonly stats: BigIntStats;
  /** Permission bits. */
  readonly mode: number;
  /** Holds it, if it is a directory. */
  open(): Directory;
}

/** What lies in a directory of the workspace. */
export function lookUpHeld(directory: HeldDirectory, name: string): Entry<HeldDirectory> | null {
  const at = directory.at(name);
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : { at, stats, mode: toMode(stats), open: () => directory.open(name) };
}

/** What lies in a directory that nothing works in any more: made readable, with the mode it had before that. */
export function lookUpReadable(path: string): Pick<Entry<unknown>, 'stats' | 'mode'> | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  const mode = toMode(stats);
  const needed = stats.isDirectory() ? ownerRights : 0o400;
  if (!(stats.isFile() || stats.isDirectory()) || (mode & needed) === needed) return { stats, mode };
  chmodSync(path, mode | needed);
  return { stats: lstatSync(path, { bigint: true }), mode };
}

/** Of a directory: to list it, to enter it, and to change what is in it. */
export const ownerRights = 0o700;

/** As the file system has them: a name may be no text. */
export function listBytes(directory: HeldDirectory): Buffer[] {
  return readdirSync(directory.at('.'), { encoding: 'buffer' });
}

/** Set-uid, set-gid and sticky bits are never taken over. */
function toMode({ mode }: BigIntStats): number {
  return Number(mode & 0o777n);
}
