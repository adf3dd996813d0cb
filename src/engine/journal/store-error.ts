// Turns what SQLite and the file system report into the engine's own errors: which file, what is wrong with it, and what
// a person can do. Anything it does not know stays visible as the cause.
import { EngineError, type EngineErrorCode, isEngineError } from '../../shared/engine-error.ts';

type StoreErrorCode = Extract<EngineErrorCode, `store-${string}`>;

/** The `EngineError` for a failure while working on `file`; one that is already an `EngineError` stays what it is. */
export function toStoreError(error: unknown, file: string): EngineError {
  if (isEngineError(error)) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const code = toStoreErrorCode(toErrorCode(error));
  if (code !== null) return createStoreError(code, file, detail, error);
  return new EngineError('internal', `The journal ${file} failed unexpectedly: ${detail}`, {
    remedy: 'Run the command again; if it fails the same way, report it with this message.',
    cause: error,
  });
}

/** A store error with the wording that belongs to its code. */
export function createStoreError(code: StoreErrorCode, file: string, detail: string, cause?: unknown): EngineError {
  const { message, remedy } = wording[code];
  return new EngineError(code, `The journal ${file} ${message} (${detail}).`, { remedy, cause });
}

const wording: Record<StoreErrorCode, { readonly message: string; readonly remedy: string }> = {
  'store-damaged': {
    message: 'is damaged',
    remedy: 'Restore the file from a backup, or move it and its -wal neighbour aside to start with an empty journal.',
  },
  'store-foreign': {
    message: 'belongs to another program',
    remedy: 'Point --home or IO_STUDIO_HOME at a directory of its own, or move the file aside.',
  },
  'store-newer': {
    message: 'was written by a newer version',
    remedy: 'Use that version of io-studio, or point --home or IO_STUDIO_HOME at another directory.',
  },
  'store-full': {
    message: 'cannot grow: the disk or its quota is full',
    remedy: 'Free some space and resume; everything reported so far is kept.',
  },
  'store-unwritable': {
    message: 'cannot be written',
    remedy: 'Make its directory and files writable for this user, or point --home or IO_STUDIO_HOME elsewhere.',
  },
  'store-copied': {
    message: 'is a copy, and nobody has said that its original is no longer used',
    remedy:
      'It can be read. To go on with its runs here, and no longer with the original, run "io-studio store adopt-here".',
  },
  'store-shared': {
    message: 'can be reached by other machines, which cannot tell whether a run is being driven here',
    remedy:
      'Point --home or IO_STUDIO_HOME at a local directory that nothing synchronises. Its runs can be read where it is; if only this machine ever uses it, --shared-home or IO_STUDIO_SHARED_HOME=allow lets them be driven too.',
  },
  'store-busy': {
    message: 'is locked by another process',
    remedy: 'Wait for the other process or end it, then run the command again.',
  },
};

function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function toStoreErrorCode(code: string): StoreErrorCode | null {
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ|FORMAT)/.test(code)) return 'store-damaged';
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return 'store-full';
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return 'store-busy';
  if (
    /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH|IOERR)|EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|EIO|ENAMETOOLONG)/.test(code)
  ) {
    return 'store-unwritable';
  }
  return null;
}
