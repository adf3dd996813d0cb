// What lies at a path itself, as a change set says it: for whoever wants to put something else there and be able to take that
// back. It is read through the held directory in which it would be changed, and no link is followed.
import { type BigIntStats, readdirSync, readlinkSync } from 'node:fs';
import { readAll, readFlags, withDescriptor } from '../sandbox/with-descriptor.ts';
import type { EntryRead } from './guard.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placeEntry } from './place-entry.ts';
import { toUnwritable } from './to-unwritable.ts';

/** A file of more than `maxBytes` is not read. */
export async function readEntry(root: WorkspaceRoot, path: string, maxBytes: number): Promise<EntryRead> {
  const place = placeEntry(root, path);
  if (place.kind === 'gone') return { kind: 'entry', entry: null, names: [] };
  if (place.kind === 'elsewhere') return { kind: 'unreadable', reason: place.reason };
  try {
    return await readPlaced(place.directory.at(place.name), place.stats, maxBytes);
  } catch (error) {
    return { kind: 'unreadable', reason: toUnwritable(error, path).reason };
  } finally {
    place.close();
  }
}

async function readPlaced(at: string, stats: BigIntStats | undefined, maxBytes: number): Promise<EntryRead> {
  if (stats === undefined) return { kind: 'entry', entry: null, names: [] };
  if (stats.isSymbolicLink()) return { kind: 'entry', entry: { kind: 'link', target: readlinkSync(at) }, names: [] };
  const mode = Number(stats.mode & 0o777n);
  if (stats.isDirectory()) return { kind: 'entry', entry: { kind: 'directory', mode }, names: readdirSync(at) };
  if (!stats.isFile())
    return { kind: 'unreadable', reason: 'what lies there is neither a file, a directory nor a link' };
  const tooLarge: EntryRead = { kind: 'unreadable', reason: `it has more than ${maxBytes} bytes now` };
  if (stats.size > BigInt(maxBytes)) return tooLarge;
  const bytes = await withDescriptor(at, { flags: readFlags }, (descriptor) =>
    readAll(descriptor, Number(stats.size), maxBytes),
  );
  if (bytes === null) return tooLarge;
  return { kind: 'entry', entry: { kind: 'file', bytes, mode }, names: [] };
}
