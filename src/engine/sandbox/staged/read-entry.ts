// Reads what lies at a path as the one side of a change. Only what can be taken over whole is read: no device, no pipe, no
// content over the limit, and nothing that becomes another thing while it is read.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync, readlinkSync } from 'node:fs';
import type { ChangedEntry } from '../sandbox.ts';
import { readAll, readFlags, readPieces, withDescriptor } from '../with-descriptor.ts';
import type { Entry } from './staged-tree.ts';

export type EntryRead =
  | { readonly kind: 'read'; readonly entry: ChangedEntry }
  | { readonly kind: 'unfit'; readonly reason: string }
  /** Its content alone is more than `maxBytes`. */
  | { readonly kind: 'too-large' }
  /** It is not what was looked up any more. */
  | { readonly kind: 'changed' };

export async function readEntry({ at, stats, mode }: Entry<unknown>, maxBytes: number): Promise<EntryRead> {
  if (stats.isDirectory()) return { kind: 'read', entry: { kind: 'directory', mode } };
  if (stats.isSymbolicLink()) return readLink(at);
  if (!stats.isFile()) return { kind: 'unfit', reason: 'it is neither a file nor a directory nor a link' };
  if (stats.size > maxBytes) return { kind: 'too-large' };
  return await withDescriptor(at, { flags: readFlags }, async (descriptor) => {
    const bytes = await readAll(descriptor, Number(stats.size), maxBytes);
    if (!isSameVersion(fstatSync(descriptor, { bigint: true }), stats)) return { kind: 'changed' };
    return bytes === null ? { kind: 'too-large' } : { kind: 'read', entry: { kind: 'file', bytes, mode } };
  });
}

/** Whether both are the same to everybody who reads them; a large file is not held in memory for it. */
export async function isSameEntry(one: Entry<unknown>, other: Entry<unknown>): Promise<boolean> {
  if (one.stats.isSymbolicLink() && other.stats.isSymbolicLink()) {
    return readlinkSync(one.at, { encoding: 'buffer' }).equals(readlinkSync(other.at, { encoding: 'buffer' }));
  }
  const isCopy = one.stats.isFile() && other.stats.isFile() && one.stats.size === other.stats.size;
  return isCopy && one.mode === other.mode && (await hashContent(one.at)) === (await hashContent(other.at));
}

function readLink(path: string): EntryRead {
  const target = readlinkSync(path, { encoding: 'buffer' });
  if (!isUtf8(target)) return { kind: 'unfit', reason: 'it is a link, and where it leads is no text' };
  return { kind: 'read', entry: { kind: 'link', target: target.toString('utf8') } };
}

function isSameVersion(now: BigIntStats, then: BigIntStats): boolean {
  const keys = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return keys.every((key) => now[key] === then[key]);
}

async function hashContent(path: string): Promise<string> {
  return await withDescriptor(path, { flags: readFlags }, async (descriptor) => {
    const hash = createHash('sha256');
    for await (const piece of readPieces(descriptor)) hash.update(piece);
    return hash.digest('hex');
  });
}
