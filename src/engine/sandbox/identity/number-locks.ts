// Which engine of this machine holds which user number. A lock is a directory that bears the number and holds one empty file
// that bears the tag of the holder. It appears together with that file, by renaming, which the kernel refuses when somebody
// holds the number already; and it is taken away by removing that very file, so that nobody ever removes another's lock.
import { mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnTag } from '../../process/owner-tag.ts';
import { toErrorCode } from '../to-error-code.ts';

export interface HeldNumber {
  readonly number: number;
  /** The tag of the engine that holds it. */
  readonly holder: string;
}

/** Locks the first of these numbers that nobody holds, also nobody dead; null when there is none. */
export function claimNumber(directory: string, numbers: Iterable<number>): HeldNumber | null {
  const holder = readOwnTag();
  const draft = mkdtempSync(join(directory, `${holder}.`));
  try {
    writeFileSync(join(draft, holder), '');
    for (const number of numbers) {
      if (moveTo(draft, join(directory, String(number)))) return { number, holder };
    }
    return null;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function moveTo(draft: string, lock: string): boolean {
  try {
    renameSync(draft, lock);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(toErrorCode(error))) return false;
    throw error;
  }
}

/** Takes the lock away, if it is this holder's. */
export function freeNumber(directory: string, { number, holder }: HeldNumber): void {
  const lock = join(directory, String(number));
  const isExpected = (error: unknown): boolean => ['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(toErrorCode(error));
  for (const remove of [() => unlinkSync(join(lock, holder)), () => rmdirSync(lock)]) {
    try {
      remove();
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  }
}

export function findHeldNumbers(directory: string): HeldNumber[] {
  return readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => listNames(join(directory, name)).map((holder) => ({ number: Number(name), holder })));
}

/** None where the lock has just been taken away. */
function listNames(lock: string): string[] {
  try {
    return readdirSync(lock);
  } catch {
    return [];
  }
}
