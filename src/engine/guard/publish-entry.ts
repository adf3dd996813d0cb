// Gives a finished temporary entry its name, in one step: whoever looks sees what was there before or what is there now. Where
// something is not as it was when it was looked at, nothing is done.
import { type BigIntStats, linkSync, lstatSync, renameSync } from 'node:fs';
import { toErrorCode } from '../sandbox/to-error-code.ts';

/** Where nothing is. A link under the new name, unlike a rename, fails where something else appeared meanwhile. */
export function publishNew(from: string, to: string): boolean {
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

/** In place of just this version of what is there. */
export function publishOver(from: string, to: string, version: BigIntStats): boolean {
  if (!isSameVersion(to, version)) return false;
  renameSync(from, to);
  return true;
}

/** Whether nothing was written to it and nothing else took its place. */
export function isSameVersion(path: string, version: BigIntStats): boolean {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const keys = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return now !== undefined && keys.every((key) => now[key] === version[key]);
}
