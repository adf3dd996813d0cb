// The user that a command runs as. A root engine gives each live sandbox a number that belongs to nobody else: no account,
// no running process and no other sandbox of this machine has it, so whatever runs under it came of that sandbox alone.
// Any other engine has one user to give, its own.
import { findProcessesOfUid } from '../../process/find-processes-of-uid.ts';
import { findFreeNumbers, type NumberRange } from './free-numbers.ts';
import { identityRange } from './identity-range.ts';
import { keepNumber, takeKept } from './kept-number.ts';
import { openLockDirectory } from './lock-directory.ts';
import { claimNumber, freeNumber, type HeldNumber } from './number-locks.ts';

export interface SandboxIdentity extends AsyncDisposable {
  readonly uid: number;
  readonly gid: number;
  /** It is the engine's own user: nothing changes when a program is started under it. */
  readonly isOwn: boolean;
  /** The kernel has ended everything that could run under it, so nobody has to look. */
  markUnused(): void;
}

export interface IdentityPool extends NumberRange {
  /** Where the numbers are locked. */
  readonly locks: string;
}

/**
 * Null when the engine is root and no number is free. What a killed engine held is free again once it was swept: until then
 * directories of that user may be lying around. Dispose of it when nothing runs under it any more.
 */
export async function takeIdentity(pool?: IdentityPool): Promise<SandboxIdentity | null> {
  if (process.geteuid?.() !== 0) return takeOwn();
  if (process.platform !== 'linux') return null;
  if (pool !== undefined) return claim(pool, freeNumber);
  const again = takeKept();
  const locks = openLockDirectory();
  return again === null ? claim({ ...identityRange, locks }, keepNumber) : toIdentity(locks, again, keepNumber);
}

function claim({ locks, ...range }: IdentityPool, release: Release): SandboxIdentity | null {
  const held = claimNumber(locks, findFreeNumbers(range));
  return held === null ? null : toIdentity(locks, held, release);
}

/** Systems without user numbers have none to give up either. */
function takeOwn(): SandboxIdentity {
  const uid = process.geteuid?.() ?? -1;
  const gid = process.getegid?.() ?? -1;
  return { uid, gid, isOwn: true, markUnused: () => undefined, [Symbol.asyncDispose]: async () => undefined };
}

type Release = (locks: string, held: HeldNumber, isProven: boolean) => void;

function toIdentity(locks: string, held: HeldNumber, release: Release): SandboxIdentity {
  let isHeld = true;
  let isProven = false;
  return {
    uid: held.number,
    gid: held.number,
    isOwn: false,
    markUnused() {
      isProven = true;
    },
    async [Symbol.asyncDispose]() {
      // A number under which something still runs would give it the next sandbox's files: it stays locked.
      if (!isHeld || (!isProven && findProcessesOfUid(held.number).length > 0)) return;
      isHeld = false;
      release(locks, held, isProven);
    },
  };
}
