// Lets one process at a time change a file. Everyone who wants to puts up a lock under a name of their own and only then
// looks for others; whoever sees a living one takes theirs back and tries again. A lock is never taken over, only cleared
// away once its process is dead, so there is no moment in which two could take over the same one.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { syncPath } from '../journal/publish-file.ts';
import { isOwnerAlive } from '../process/is-owner-alive.ts';
import { readProcessIdentity } from '../process/process-identity.ts';

const LockOwner = z.object({
  machineId: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  pid: z.int().positive(),
  startTime: z.string(),
});

/**
 * Holds the lock on `file`, whose directory exists, while `action` runs. Null when another process held it for all of
 * `waitMs`.
 */
export async function holdFileLock<Result>(
  file: string,
  waitMs: number,
  action: () => Result,
): Promise<{ readonly result: Result } | null> {
  const lock = `${file}.${randomUUID()}.lock`;
  const deadline = performance.now() + waitMs;
  let longestPauseMs = 10;
  do {
    try {
      putUp(lock);
      if (!isContested(file, lock)) return { result: action() };
    } finally {
      rmSync(lock, { force: true });
    }
    // Of several that saw each other the one with the shorter pause is first; where many meet, pauses have to differ more.
    await setTimeout(1 + Math.random() * longestPauseMs);
    longestPauseMs = Math.min(2 * longestPauseMs, 320);
  } while (performance.now() < deadline);
  return null;
}

/** Seen whole or not at all: half a lock could not be told from one of the living, and would stand for ever. */
function putUp(lock: string): void {
  const draft = `${lock}.new`;
  try {
    writeFileSync(draft, JSON.stringify(readProcessIdentity()), { mode: 0o600, flag: 'wx' });
    syncPath(draft);
    renameSync(draft, lock);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Looks at all of them, so that what the dead left behind is gone afterwards. */
function isContested(file: string, own: string): boolean {
  const directory = dirname(file);
  const others = readdirSync(directory)
    .filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith('.lock') && name !== basename(own))
    .map((name) => join(directory, name));
  return others.filter(isLiving).length > 0;
}

function isLiving(lock: string): boolean {
  const owner = readOwner(lock);
  if (owner === null) return false;
  if (owner !== 'unknown' && !isOwnerAlive(owner).alive) {
    rmSync(lock, { force: true });
    return false;
  }
  return true;
}

/** Null when the lock has been taken back meanwhile. */
function readOwner(lock: string): z.infer<typeof LockOwner> | 'unknown' | null {
  try {
    return LockOwner.parse(JSON.parse(readFileSync(lock, 'utf8')));
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : 'unknown';
  }
}
