// Replaces one file as a whole: a reader, a crash or a second run sees the old content or the new one, never a mixture.
// The new content is on the disk before it takes the name, and the name is on the disk before the caller hears of it.
import { type BigIntStats, linkSync, lstatSync, renameSync } from 'node:fs';
import type { BlobHash } from '../../shared/id.ts';
import { createParents } from './create-parents.ts';
import type { FileReplaced } from './guard.ts';
import { toTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';
import { readRegularFile } from './read-regular-file.ts';
import { syncDirectory } from './sync-directory.ts';
import { withTemporaryFile } from './temporary-file.ts';
import { toErrorCode } from './to-error-code.ts';

type FoundPlace = Extract<Place, { kind: 'found' }>;
type MissingPlace = Extract<Place, { kind: 'missing' }>;

/** What is replaced is hashed in memory; a file over this size is no text that was edited. */
export const maxReplacedBytes = 256 * 1024 * 1024;

/** Puts `after` where `before` is now; null stands for no file. The place stays the caller's to close. */
export async function replaceFile(place: Place, before: BlobHash | null, after: Uint8Array): Promise<FileReplaced> {
  if (place.kind === 'outside') return { kind: 'unwritable', reason: place.reason };
  try {
    if (place.kind === 'found') return await replaceFound(place, before, after);
    return before === null ? await createMissing(place, after) : { kind: 'stale', hash: null };
  } catch (error) {
    return toUnwritable(error, toTarget(place.parts));
  }
}

async function replaceFound(place: FoundPlace, before: BlobHash | null, bytes: Uint8Array): Promise<FileReplaced> {
  const { directory, name } = place;
  const current = await readRegularFile(place, maxReplacedBytes);
  if (current.kind === 'unreadable') return { kind: 'unwritable', reason: current.reason };
  if (current.kind === 'missing') return { kind: 'stale', hash: null };
  if (current.file.hash !== before) return { kind: 'stale', hash: current.file.hash };
  const isReplaced = await withTemporaryFile({ directory, bytes, like: current.stats }, (temporary) => {
    if (!isSameVersion(directory.at(name), current.stats)) return false;
    renameSync(temporary, directory.at(name));
    return true;
  });
  if (!isReplaced) return await toStale(place);
  await syncDirectory(directory);
  return { kind: 'replaced' };
}

async function createMissing(place: MissingPlace, bytes: Uint8Array): Promise<FileReplaced> {
  if (place.obstacle !== null) return { kind: 'unwritable', reason: place.obstacle.reason };
  const name = place.missing.at(-1) ?? '.';
  const directory = await createParents(place.directory, place.missing.slice(0, -1));
  try {
    const create = (temporary: string) => linkNew(temporary, directory.at(name));
    const isCreated = await withTemporaryFile({ directory, bytes, like: null }, create);
    if (!isCreated) return await toStale({ ...place, directory, name });
    await syncDirectory(directory);
    return { kind: 'replaced' };
  } finally {
    if (directory !== place.directory) directory.close();
  }
}

/** A link under the new name, unlike a rename, fails where something else appeared meanwhile. */
function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = toErrorCode(error);
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
  }
  // A file system without hard links: what appears between these two lines is lost.
  if (lstatSync(to, { throwIfNoEntry: false })) return false;
  renameSync(from, to);
  return true;
}

function isSameVersion(path: string, version: BigIntStats): boolean {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const keys = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return now !== undefined && keys.every((key) => now[key] === version[key]);
}

async function toStale(place: Omit<FoundPlace, 'kind' | 'stats'>): Promise<FileReplaced> {
  const stats = lstatSync(place.directory.at(place.name), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { kind: 'stale', hash: null };
  const there = await readRegularFile({ ...place, kind: 'found', stats }, maxReplacedBytes);
  if (there.kind === 'unreadable') return { kind: 'unwritable', reason: there.reason };
  return { kind: 'stale', hash: there.kind === 'file' ? there.file.hash : null };
}

function toUnwritable(error: unknown, path: string): FileReplaced {
  const code = toErrorCode(error);
  return { kind: 'unwritable', reason: `${JSON.stringify(path)} cannot be written: ${reasons[code] ?? code}` };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a directory on the way was replaced while it was written',
  ELOOP: 'a directory on the way was replaced while it was written',
  ENAMETOOLONG: 'the name is too long for this file system',
};
