// Copies one file or link of a workspace, and gives a copy the attributes of its original. Looking and small copies are done
// in this thread: each takes microseconds, and a trip to the thread pool more than all of them.
import {
  type BigIntStats,
  chmodSync,
  constants,
  copyFileSync,
  fstatSync,
  lchownSync,
  lutimesSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { Owner } from '../box-files.ts';
import { toErrorCode } from '../to-error-code.ts';
import { readFlags, withDescriptor } from '../with-descriptor.ts';
import type { Entry } from './staged-tree.ts';

const quickBytes = 1024 * 1024;
const shareFlags = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** False where there is no copy: it is something else, it went away meanwhile, or this user may not read it. */
export async function copyEntry({ at, stats }: Entry<unknown>, to: string): Promise<boolean> {
  try {
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(at), to);
    else if (!stats.isFile() || !(await copyRegular(at, to))) return false;
    return true;
  } catch (error) {
    if (isSkipped(error)) return false;
    throw error;
  }
}

/** What this user may not read the command may not read either. */
export function isSkipped(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(toErrorCode(error));
}

/** Mode and times as they were: build tools go by them. */
export function takeAttributes(copy: string, stats: BigIntStats, owner: Owner | null): void {
  if (owner !== null) lchownSync(copy, owner.uid, owner.gid);
  if (!stats.isSymbolicLink()) chmodSync(copy, Number(stats.mode & 0o777n));
  lutimesSync(copy, Number(stats.atimeMs) / 1000, Number(stats.mtimeMs) / 1000);
}

/** What is copied is the file that was opened, shared with it where the file system can. */
async function copyRegular(from: string, to: string): Promise<boolean> {
  return await withDescriptor(from, { flags: readFlags }, async (descriptor) => {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return false;
    const source = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : from;
    if (stats.size > quickBytes) await copyFile(source, to, shareFlags);
    else copyFileSync(source, to, shareFlags);
    return true;
  });
}
