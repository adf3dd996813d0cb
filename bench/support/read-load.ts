// How busy the rest of the machine was. Linux only: elsewhere nothing is known, and the table says so.
import { readFileSync } from 'node:fs';

/** A moment from which the load of others is counted. */
export interface LoadMark {
  readonly atMs: number;
  readonly busySeconds: number;
  readonly ownSeconds: number;
}

/** Take it while no child runs: what a child used is known once it has ended. Null where the system does not tell. */
export function markLoad(): LoadMark | null {
  try {
    const [user, nice, system, , , interrupt, softInterrupt] = readNumbers('/proc/stat', /^cpu +(.*)$/m);
    // After the name in brackets: the times of this process are the 12th and 13th field, those of its ended children follow.
    const own = readNumbers('/proc/self/stat', /\) \S (.*)$/m).slice(10, 14);
    const busy = [user, nice, system, interrupt, softInterrupt];
    return { atMs: performance.now(), busySeconds: toSeconds(busy), ownSeconds: toSeconds(own) };
  } catch {
    return null;
  }
}

/** Cores that other processes kept busy since `mark`, on average. */
export function readOtherCores(mark: LoadMark | null): number | null {
  const now = markLoad();
  if (mark === null || now === null) return null;
  const othersSeconds = now.busySeconds - mark.busySeconds - (now.ownSeconds - mark.ownSeconds);
  return Math.max(0, (othersSeconds * 1000) / (now.atMs - mark.atMs));
}

function readNumbers(path: string, pattern: RegExp): number[] {
  const [, line = ''] = pattern.exec(readFileSync(path, 'utf8')) ?? [];
  return line.trim().split(/\s+/).map(Number);
}

/** From ticks, of which Linux shows programs 100 a second on every architecture. */
const toSeconds = (ticks: readonly (number | undefined)[]): number =>
  ticks.reduce<number>((sum, count) => sum + (count ?? 0), 0) / 100;
