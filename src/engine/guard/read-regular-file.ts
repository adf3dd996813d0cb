// Reads a file through one descriptor, so that what was checked, hashed and shown is the same file. Only regular files:
// a pipe would hang and a device would never end.
import { type BigIntStats, fstatSync } from 'node:fs';
import { hashBytes } from '../journal/create-blob.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import { readAll, readFlags, withDescriptor } from '../sandbox/with-descriptor.ts';
import type { FileRead } from './guard.ts';
import { toTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';

/** The content and its identity at the moment of reading. The place stays the caller's to close. */
export type RegularFileRead =
  | (Extract<FileRead, { kind: 'file' }> & { readonly stats: BigIntStats })
  | Exclude<FileRead, { kind: 'file' }>;

/** Reads at most `maxBytes`; a larger file is refused before a byte of it is read. */
export async function readRegularFile(place: Place, maxBytes: number): Promise<RegularFileRead> {
  if (place.kind === 'outside') return { kind: 'unreadable', reason: place.reason };
  const path = toTarget(place.parts);
  if (place.kind === 'missing') return { kind: 'missing', path };
  if (!place.stats.isFile())
    return { kind: 'unreadable', reason: `${JSON.stringify(path)} is ${nameKind(place.stats)}` };
  try {
    const at = place.directory.at(place.name);
    return await withDescriptor(at, { flags: readFlags }, (descriptor) => readDescriptor(descriptor, path, maxBytes));
  } catch (error) {
    return toUnreadable(error, path);
  }
}

/** What something is that is not a regular file, as the end of a sentence. */
function nameKind(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a directory, not a file';
  if (stats.isFIFO()) return 'a named pipe, not a regular file';
  if (stats.isSocket()) return 'a socket, not a regular file';
  if (stats.isSymbolicLink()) return 'a link that appeared while it was looked up';
  return 'a device, not a regular file';
}

async function readDescriptor(descriptor: number, path: string, maxBytes: number): Promise<RegularFileRead> {
  const stats = fstatSync(descriptor, { bigint: true });
  if (!stats.isFile()) return { kind: 'unreadable', reason: `${JSON.stringify(path)} is ${nameKind(stats)}` };
  if (stats.size > maxBytes) return toTooLarge(path, Number(stats.size), maxBytes);
  const bytes = await readAll(descriptor, Number(stats.size), maxBytes);
  if (bytes === null) return toTooLarge(path, maxBytes + 1, maxBytes);
  const mode = Number(stats.mode & 0o777n);
  return { kind: 'file', file: { path, bytes, hash: hashBytes(bytes), mode }, stats };
}

function toTooLarge(path: string, bytes: number, maxBytes: number): RegularFileRead {
  const reason = `${JSON.stringify(path)} has ${bytes} bytes, over the limit of ${maxBytes}`;
  return { kind: 'unreadable', reason, tooLargeBytes: bytes };
}

function toUnreadable(error: unknown, path: string): RegularFileRead {
  const code = toErrorCode(error);
  if (code === 'ENOENT') return { kind: 'missing', path };
  const why = code === 'EACCES' ? 'this user has no permission to read it' : code;
  return { kind: 'unreadable', reason: `${JSON.stringify(path)} cannot be read: ${why}` };
}
