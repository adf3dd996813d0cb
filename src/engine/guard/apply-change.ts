// Makes one change of an entry in a held directory: whole or not at all, over nothing but what the change begins with, and on
// the disk before the caller hears of it.
import {
  type BigIntStats,
  chmodSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { assertNever } from '../../shared/assert-never.ts';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import type { ChangedEntry, WorkspaceChange } from '../sandbox/sandbox.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import { withDescriptor } from '../sandbox/with-descriptor.ts';
import type { ChangeMade } from './guard.ts';
import { isEntry } from './is-entry.ts';
import { isSameVersion, publishNew, publishOver } from './publish-entry.ts';
import { syncDirectory } from './sync-directory.ts';
import { withTemporaryFile } from './temporary-file.ts';
import { createTemporaryName } from './temporary-name.ts';
import { toUnwritable } from './to-unwritable.ts';

export interface ChangedPlace {
  readonly directory: HeldDirectory;
  readonly name: string;
  /** What is there now; undefined: nothing. */
  readonly stats: BigIntStats | undefined;
}

type FileEntry = Extract<ChangedEntry, { kind: 'file' }>;

/** The place stays the caller's to close. */
export async function applyChange(
  place: ChangedPlace,
  change: WorkspaceChange,
  { isFirstTry }: { readonly isFirstTry: boolean },
): Promise<ChangeMade> {
  const { directory, name, stats } = place;
  const at = directory.at(name);
  try {
    if (isMadeAlready(stats, change)) return { kind: 'made' };
    if (await isEntry(at, stats, change.after)) return isFirstTry && isRewrite(change) ? { kind: 'stale' } : made;
    if (!(await isEntry(at, stats, change.before))) return { kind: 'stale' };
    if (!(await put(place, change.after))) return { kind: 'stale' };
    await syncDirectory(directory);
    return { kind: 'made' };
  } catch (error) {
    return staleCodes.has(toErrorCode(error)) ? { kind: 'stale' } : toUnwritable(error, change.path);
  }
}

/** Something came to lie there, or in it, after it was looked at. */
const staleCodes: ReadonlySet<string> = new Set(['EEXIST', 'ENOTEMPTY', 'ENOENT', 'EISDIR']);

const made = { kind: 'made' } as const;

/** Two that count to the same number have counted once. What both have created, or removed, does for both. */
function isRewrite({ before, after }: WorkspaceChange): boolean {
  return before?.kind === 'file' && after?.kind === 'file' && Buffer.compare(before.bytes, after.bytes) !== 0;
}

/** A directory is a place: one that somebody else made there meanwhile does as well. */
function isMadeAlready(stats: BigIntStats | undefined, { before, after }: WorkspaceChange): boolean {
  return after?.kind === 'directory' && before?.kind !== 'directory' && stats?.isDirectory() === true;
}

/** False where what is there became something else. */
async function put(place: ChangedPlace, after: ChangedEntry | null): Promise<boolean> {
  switch (after?.kind) {
    case undefined:
      return clear(place);
    case 'file':
      return await putFile(place, after);
    case 'link':
      return putLink(place, after.target);
    case 'directory':
      return await putDirectory(place, after.mode);
    default:
      return assertNever(after);
  }
}

function clear({ directory, name, stats }: ChangedPlace): boolean {
  const at = directory.at(name);
  if (stats === undefined) return true;
  if (stats.isDirectory()) {
    rmdirSync(at);
    return true;
  }
  if (!isSameVersion(at, stats)) return false;
  unlinkSync(at);
  return true;
}

async function putFile(place: ChangedPlace, { bytes, mode }: FileEntry): Promise<boolean> {
  const { directory } = place;
  const like = place.stats?.isFile() === true ? place.stats : null;
  return await withTemporaryFile({ directory, bytes, like, mode }, (temporary) => publish(temporary, place));
}

function putLink(place: ChangedPlace, target: string): boolean {
  const { directory, name, stats } = place;
  if (stats === undefined || stats.isDirectory()) {
    if (!clear(place)) return false;
    symlinkSync(target, directory.at(name));
    return true;
  }
  const temporary = directory.at(createTemporaryName());
  try {
    symlinkSync(target, temporary);
    return publishOver(temporary, directory.at(name), stats);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function publish(temporary: string, place: ChangedPlace): boolean {
  const { directory, name, stats } = place;
  const at = directory.at(name);
  if (stats !== undefined && !stats.isDirectory()) return publishOver(temporary, at, stats);
  return clear(place) && publishNew(temporary, at);
}

async function putDirectory(place: ChangedPlace, mode: number): Promise<boolean> {
  const { directory, name, stats } = place;
  if (stats?.isDirectory() === true) return await changeMode(place, stats, mode);
  if (!clear(place)) return false;
  mkdirSync(directory.at(name), { mode });
  const made = directory.open(name);
  try {
    chmodSync(made.at('.'), mode);
  } finally {
    made.close();
  }
  return true;
}

/** Through a descriptor: by its name another could be meant. */
async function changeMode({ directory, name }: ChangedPlace, stats: BigIntStats, mode: number): Promise<boolean> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  return await withDescriptor(directory.at(name), { flags }, async (descriptor) => {
    if (fstatSync(descriptor, { bigint: true }).ino !== stats.ino) return false;
    fchmodSync(descriptor, mode);
    return true;
  });
}
