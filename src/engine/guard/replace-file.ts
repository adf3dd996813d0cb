// Replaces one file as a whole: a reader, a crash or a second run sees the old content or the new one, never a mixture.
// The new content is on the disk before it takes the name, and the name is on the disk before the caller hears of it.
import { lstatSync } from 'node:fs';
import type { BlobHash } from '../../shared/id.ts';
import { createParents } from './create-parents.ts';
import type { FileReplaced } from './guard.ts';
import { toTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';
import { publishNew, publishOver } from './publish-entry.ts';
import { readRegularFile } from './read-regular-file.ts';
import { syncDirectory } from './sync-directory.ts';
import { withTemporaryFile } from './temporary-file.ts';
import { toUnwritable } from './to-unwritable.ts';

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
  const isReplaced = await withTemporaryFile({ directory, bytes, like: current.stats }, (temporary) =>
    publishOver(temporary, directory.at(name), current.stats),
  );
  if (!isReplaced) return await toStale(place);
  await syncDirectory(directory);
  return { kind: 'replaced' };
}

async function createMissing(place: MissingPlace, bytes: Uint8Array): Promise<FileReplaced> {
  if (place.obstacle !== null) return { kind: 'unwritable', reason: place.obstacle.reason };
  const name = place.missing.at(-1) ?? '.';
  const directory = await createParents(place.directory, place.missing.slice(0, -1));
  try {
    const create = (temporary: string) => publishNew(temporary, directory.at(name));
    const isCreated = await withTemporaryFile({ directory, bytes, like: null }, create);
    if (!isCreated) return await toStale({ ...place, directory, name });
    await syncDirectory(directory);
    return { kind: 'replaced' };
  } finally {
    if (directory !== place.directory) directory.close();
  }
}

async function toStale(place: Omit<FoundPlace, 'kind' | 'stats'>): Promise<FileReplaced> {
  const stats = lstatSync(place.directory.at(place.name), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { kind: 'stale', hash: null };
  const there = await readRegularFile({ ...place, kind: 'found', stats }, maxReplacedBytes);
  if (there.kind === 'unreadable') return { kind: 'unwritable', reason: there.reason };
  return { kind: 'stale', hash: there.kind === 'file' ? there.file.hash : null };
}
