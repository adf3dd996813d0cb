// Lists one directory through its held descriptor. An entry that may not be read is left out altogether: neither its name
// nor its number shows.
import { type Dirent, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import type { DirectoryEntry, GuardedFiles } from './guard.ts';
import { toTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';
import { isTemporaryName } from './temporary-name.ts';

const maxEntries = 2000;

/** Sorted by name, without what `isShown` does not let pass. */
export async function listDirectory(
  place: Place,
  isShown: (entry: Dirent) => boolean,
): ReturnType<GuardedFiles['list']> {
  if (place.kind === 'outside') return { kind: 'unreadable', reason: place.reason };
  const path = toTarget(place.parts);
  if (place.kind === 'missing') return { kind: 'unreadable', reason: `${JSON.stringify(path)} does not exist` };
  if (!place.stats.isDirectory()) return { kind: 'unreadable', reason: `${JSON.stringify(path)} is not a directory` };
  try {
    const found = await readdir(place.directory.at(place.name), { withFileTypes: true });
    const isWanted = (entry: Dirent) => !isTemporaryName(entry.name) && isShown(entry);
    return toListing(place.directory, found.sort(byName), isWanted);
  } catch (error) {
    return { kind: 'unreadable', reason: `${JSON.stringify(path)} cannot be listed: ${toErrorCode(error)}` };
  }
}

function toListing(directory: HeldDirectory, found: readonly Dirent[], isWanted: (entry: Dirent) => boolean) {
  const entries: DirectoryEntry[] = [];
  for (const entry of found) {
    if (!isWanted(entry)) continue;
    if (entries.length === maxEntries) return { kind: 'listed', entries, more: true } as const;
    entries.push(toEntry(directory, entry));
  }
  return { kind: 'listed', entries, more: false } as const;
}

function toEntry(directory: HeldDirectory, entry: Dirent): DirectoryEntry {
  const { name } = entry;
  if (entry.isDirectory()) return { name, kind: 'directory', bytes: null };
  if (entry.isSymbolicLink()) return { name, kind: 'link', bytes: null };
  if (!entry.isFile()) return { name, kind: 'other', bytes: null };
  return { name, kind: 'file', bytes: lstatSync(directory.at(name), { throwIfNoEntry: false })?.size ?? null };
}

function byName(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}
