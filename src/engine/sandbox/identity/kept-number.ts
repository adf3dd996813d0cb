// One number that this engine has had and holds on to: to find another means to look at every process of the machine, and to
// make sure that it is unused again means the same. Nobody else is given it, and it is free again when the engine ends.
import { freeNumber, type HeldNumber } from './number-locks.ts';

/** The number that is kept, if there is one; whoever takes it has it. */
export function takeKept(): HeldNumber | null {
  const held = kept;
  kept = null;
  return held;
}

/** Keeps it where nothing runs under it and none is kept already; else it is free for everybody. */
export function keepNumber(locks: string, held: HeldNumber, isProven: boolean): void {
  if (kept !== null || !isProven) {
    freeNumber(locks, held);
    return;
  }
  kept = held;
  if (freesAtEnd) return;
  freesAtEnd = true;
  process.once('exit', () => {
    if (kept !== null) freeNumber(locks, kept);
  });
}

let kept: HeldNumber | null = null;
let freesAtEnd = false;
