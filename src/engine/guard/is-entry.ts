// Whether what lies in a held directory is just this: the same kind, permissions and content, or for a link the same target.
import { type BigIntStats, readlinkSync } from 'node:fs';
import type { ChangedEntry } from '../sandbox/sandbox.ts';
import { readAll, readFlags, withDescriptor } from '../sandbox/with-descriptor.ts';

/** `at` is where `stats` were read; undefined: nothing was there. Throws what the file system says. */
export async function isEntry(
  at: string,
  stats: BigIntStats | undefined,
  entry: ChangedEntry | null,
): Promise<boolean> {
  if (stats === undefined || entry === null) return stats === undefined && entry === null;
  if (entry.kind === 'link') return stats.isSymbolicLink() && readlinkSync(at) === entry.target;
  if (Number(stats.mode & 0o777n) !== entry.mode) return false;
  if (entry.kind === 'directory') return stats.isDirectory();
  return stats.isFile() && stats.size === BigInt(entry.bytes.length) && (await hasContent(at, entry.bytes));
}

async function hasContent(at: string, bytes: Uint8Array): Promise<boolean> {
  return await withDescriptor(at, { flags: readFlags }, async (descriptor) => {
    const content = await readAll(descriptor, bytes.length, bytes.length);
    return content !== null && Buffer.compare(content, bytes) === 0;
  });
}
