// What a command has written, where its directories have no size of their own. Going through them takes long, so it is done
// beside everything else, and only when the file system says that something has changed since.
import { statfsSync, statSync } from 'node:fs';
import type { TreeUsage } from '../launch.ts';
import { type Measured, measureTree } from './measure-tree.ts';
import { measureUnnamed } from './measure-unnamed.ts';
import { type Free, isWalkDue } from './pace-walks.ts';
import { readWritten } from './read-written.ts';

export interface DiskMeter extends Disposable {
  /** What is known by now of what these processes have written. */
  look(pids: readonly number[]): NonNullable<TreeUsage['disk']>;
}

export interface DiskMeterOptions {
  /** On one file system. Each may hold as much as the limit says, beside what lies in it now. */
  readonly directories: readonly [string, ...string[]];
  readonly limitBytes: number;
}

/** Call it before the command begins. Disposing of it ends what it does beside. */
export async function openDiskMeter({ directories, limitBytes }: DiskMeterOptions): Promise<DiskMeter> {
  const stop = new AbortController();
  const goThrough = (enoughBytes: number): Promise<readonly Measured[]> =>
    Promise.all(directories.map((each) => measureTree(each, { enoughBytes, signal: stop.signal })));
  const before = await goThrough(Number.POSITIVE_INFINITY);
  const enoughBytes = Math.max(...before.map(({ bytes }) => bytes)) + limitBytes;
  const freeBefore = readFree(directories[0]);
  const { dev: device } = statSync(directories[0], { bigint: true });
  const measure = async (pids: readonly number[]): Promise<number> => {
    const now = await goThrough(enoughBytes);
    const unnamed = await measureUnnamed({ pids, device, enoughBytes: limitBytes, signal: stop.signal });
    const grownBytes = now.map(({ bytes }, index) => bytes - (before[index]?.bytes ?? 0));
    const foundBytes = Math.max(0, ...grownBytes) + unnamed.bytes;
    if ([...now, unnamed].every((each) => each.isWhole)) return foundBytes;
    // What a command hides from us may be all that its file system has lost, but not more than it has written.
    const lostBytes = freeBefore.bytes - readFree(directories[0]).bytes;
    return Math.max(foundBytes, Math.min(lostBytes, readWritten(pids)));
  };
  let usedBytes = 0;
  let isWalking = false;
  let last = { free: freeBefore, tookMs: 0, endedAtMs: performance.now() };
  const walk = async (pids: readonly number[], free: Free): Promise<void> => {
    const beganAtMs = performance.now();
    usedBytes = await measure(pids);
    const endedAtMs = performance.now();
    last = { free, tookMs: endedAtMs - beganAtMs, endedAtMs };
    isWalking = false;
  };
  return {
    look(pids) {
      const free = readFree(directories[0]);
      const sinceMs = performance.now() - last.endedAtMs;
      if (!isWalking && isWalkDue(free, { ...last, sinceMs }, limitBytes - usedBytes)) {
        isWalking = true;
        inTurn(() => walk(pids, free));
      }
      return { usedBytes, isFull: usedBytes > limitBytes };
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

/** One walk after the other, of however many commands: together they would only take longer. */
let earlier: Promise<void> = Promise.resolve();

function inTurn(walk: () => Promise<void>): void {
  earlier = earlier.then(walk);
}

/** Nothing where the file system does not say. */
function readFree(directory: string): Free {
  try {
    const { bsize, bfree, ffree } = statfsSync(directory);
    return { bytes: bsize * bfree, entries: ffree };
  } catch {
    return { bytes: 0, entries: 0 };
  }
}
