// A sign of life that needs no pid: a locked file of its own for each process that drives runs. The kernel lets go of the
// lock when the process ends, however it ends, and shows it to every process on this kernel, in whichever namespace.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { LivenessSign } from '../process/is-owner-alive.ts';

export interface Liveness {
  readonly name: string;
  /** Lets go, and removes the file. Can be called twice. */
  close(): void;
}

/** Takes the calling process's own lock, and removes the files of dead ones that `isNamed` says no lease names. */
export function holdLiveness(home: string, isNamed: (name: string) => boolean): Liveness {
  const directory = toDirectory(home);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  removeForgotten(directory, isNamed);
  for (;;) {
    const name = randomUUID();
    const path = join(directory, name);
    const lock = tryLock(path, 'create');
    // Between being made and being locked it may have looked forgotten to somebody else.
    if (lock !== null && existsSync(path)) return toLiveness(name, path, lock);
    lock?.close();
  }
}

/** What the lock of this name tells now. A name that no owner can have had tells nothing. */
export function readLiveness(home: string, name: string): LivenessSign {
  const path = join(toDirectory(home), name);
  if (!namePattern.test(name) || !existsSync(path)) return 'unknown';
  try {
    return isLocked(path) ? 'held' : 'free';
  } catch {
    return 'unknown';
  }
}

const toDirectory = (home: string): string => join(home, 'owners');

const namePattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function toLiveness(name: string, path: string, lock: Database): Liveness {
  return {
    name,
    close() {
      // The name first: an unlocked file that is still there says that its owner has died.
      if (lock.open) rmSync(path, { force: true });
      lock.close();
    },
  };
}

/** A file is removed only by who has locked it, so never under a process that is about to name it in a lease. */
function removeForgotten(directory: string, isNamed: (name: string) => boolean): void {
  for (const name of readdirSync(directory)) {
    if (!namePattern.test(name) || isNamed(name)) continue;
    const path = join(directory, name);
    const lock = tryLock(path, 'open');
    if (lock === null) continue;
    rmSync(path, { force: true });
    lock.close();
  }
}

/** Null where somebody else has it, or it is gone. */
function tryLock(path: string, how: 'create' | 'open'): Database | null {
  const mustExist = how === 'open';
  if (mustExist && !existsSync(path)) return null;
  const lock = new SqliteDatabase(path, { fileMustExist: mustExist, timeout: 0 });
  try {
    // Nothing is ever written to it, so that nothing of it has to be cleared away after a crash.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

function isLocked(path: string): boolean {
  const looker = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    looker.pragma('schema_version');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    looker.close();
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
