// Where the engines of one machine that run as root keep their locks on user numbers. It must be the same place for all of
// them, so TMPDIR has no say in it.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOwnDirectory, isOwnDirectory } from '../ownership/own-directory.ts';

/** Throws when somebody else has put something in its place. */
export function openLockDirectory(): string {
  const path = lockPath();
  ensureOwnDirectory(path, 0o700);
  return path;
}

/** Null when it does not exist or is not ours: there is nothing in it to be cleared away. */
export function findLockDirectory(): string | null {
  const stats = process.geteuid?.() === 0 ? lstatSync(lockPath(), { throwIfNoEntry: false }) : undefined;
  return stats !== undefined && isOwnDirectory(stats) ? lockPath() : null;
}

/** `/run` is emptied by a restart, and only root can write to it; where there is none, /tmp has to do. */
function lockPath(): string {
  const run = lstatSync('/run', { throwIfNoEntry: false });
  return join(run !== undefined && isOwnDirectory(run) ? '/run' : '/tmp', 'io-studio-identities');
}
