// Why something could not be written, as a sentence for the model.
import { toErrorCode } from '../sandbox/to-error-code.ts';

export interface Unwritable {
  readonly kind: 'unwritable';
  readonly reason: string;
}

/** What the file system said of writing `path`. */
export function toUnwritable(error: unknown, path: string): Unwritable {
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
