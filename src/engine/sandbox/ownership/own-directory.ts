// A directory of the engine's user at a place where others may write: made by us, or ours already, never somebody else's.
import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { EngineError } from '../../../shared/engine-error.ts';
import { toErrorCode } from '../to-error-code.ts';

/** Makes the directory where there is none. Throws when what lies there is not ours. */
export function ensureOwnDirectory(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (toErrorCode(error) !== 'EEXIST') throw unusable(path, 'it cannot be made', error);
  }
  const stats = lstatSync(path);
  if (!isOwnDirectory(stats)) throw unusable(path, 'it belongs to somebody else or is no directory');
  // Also when it is new: the umask has a say in what it was made with.
  if (process.platform !== 'win32' && (stats.mode & 0o7777) !== mode) chmodSync(path, mode);
}

/** A link to a directory is none. */
export function isOwnDirectory(stats: Stats): boolean {
  return stats.isDirectory() && (process.geteuid === undefined || stats.uid === process.geteuid());
}

function unusable(path: string, why: string, cause?: unknown): EngineError {
  return new EngineError('sandbox-unavailable', `The directory ${path} cannot be used: ${why}.`, {
    remedy: `Remove ${path}, or set TMPDIR to a directory that only you may write to.`,
    cause,
  });
}
