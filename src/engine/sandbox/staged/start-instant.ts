// When a command began, as the files around it tell it. The clock by which a file system stamps them runs in ticks and is behind
// the engine's by up to one, so it is asked itself.
import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** The same instant by three clocks. */
export interface StartInstant {
  /** `Date.now()`. */
  readonly wallMs: number;
  /** `performance.now()`. */
  readonly monotonicMs: number;
  /** Whatever is changed from now on bears this or more. */
  readonly fileNs: bigint;
}

/**
 * Waits, for a tick at most, until what was changed before `afterMs` by `Date.now()` bears less. `path`: one that is free, on
 * any file system in memory; all of one machine go by the same clock.
 */
export async function readStartInstant(path: string, afterMs: number): Promise<StartInstant> {
  let fileNs = readFileClock(path);
  for (let look = 0; look < maxLooks && fileNs / nsPerMs <= afterMs; look++) {
    await setTimeout(1);
    fileNs = readFileClock(path);
  }
  return { wallMs: Date.now(), monotonicMs: performance.now(), fileNs };
}

const nsPerMs = 1_000_000n;
/** More than the longest tick; the clock may also have been put back. */
const maxLooks = 20;

function readFileClock(path: string): bigint {
  mkdirSync(path);
  try {
    return statSync(path, { bigint: true }).ctimeNs;
  } finally {
    rmdirSync(path);
  }
}
