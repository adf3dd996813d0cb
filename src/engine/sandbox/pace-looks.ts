// When to look at a running command again. Pure. It is looked at often while it is young or grows towards a cap, seldom while
// nothing moves, and hardly ever so often that looking costs more than its share of a core.
import type { Sight } from './find-cap-hit.ts';
import type { SandboxLimits } from './sandbox.ts';

export interface Looks {
  /** Null at the first look. */
  readonly before: Sight | null;
  readonly now: Sight;
  /** Processor time that the last look took. */
  readonly costMs: number;
  /** Between the last two looks. */
  readonly lastDelayMs: number;
}

const shortestMs = 5;
const youngMs = 200;
/** Where it is about to be at a cap. */
const nearestMs = 1;
const longestMs = 50;
const longestQuietMs = 250;
/** A look is followed by so many times its own length: at most 2% of a core for a quiet command, half for one at its cap. */
const quietShare = 50;
const busyShare = 1;
/** Faster than a machine fills memory. */
const mostBytesPerMs = 4 * 1024 ** 2;

export function paceLooks({ before, now, costMs, lastDelayMs }: Looks, limits: SandboxLimits): number {
  const gauges = before === null ? [] : readGauges(before, now, limits);
  const isQuiet = before !== null && gauges.every((gauge) => gauge.growth <= 0);
  const wishedMs = isQuiet ? paceQuiet(now, limits, lastDelayMs) : paceBusy(before, now, gauges);
  const restMs = Math.min(costMs * (isQuiet ? quietShare : busyShare), longestQuietMs);
  return Math.max(isQuiet ? shortestMs : nearestMs, wishedMs, restMs);
}

/** Out of the quiet it may begin to fill memory as fast as it can. */
function paceQuiet(now: Sight, limits: SandboxLimits, lastDelayMs: number): number {
  const roomBytes = (limits.memoryBytes ?? Number.POSITIVE_INFINITY) - (now.use?.memoryBytes ?? 0);
  return Math.min(now.elapsedMs < youngMs ? shortestMs : lastDelayMs * 2, longestQuietMs, roomBytes / mostBytesPerMs);
}

/** Twice before it would be at the nearest cap if it went on as it does. */
function paceBusy(before: Sight | null, now: Sight, gauges: readonly Gauge[]): number {
  if (before === null) return shortestMs;
  const betweenMs = now.elapsedMs - before.elapsedMs;
  const untilCapMs = gauges.map(({ room, growth }) => (growth > 0 ? (room / growth) * betweenMs : Infinity));
  return Math.min(now.elapsedMs < youngMs ? shortestMs : longestMs, Math.min(...untilCapMs) / 2);
}

interface Gauge {
  readonly room: number;
  readonly growth: number;
}

function readGauges(before: Sight, now: Sight, limits: SandboxLimits): Gauge[] {
  const gauge = (limit: number | null, read: (sight: Sight) => number, current = read(now)): Gauge => ({
    room: (limit ?? Number.POSITIVE_INFINITY) - current,
    growth: read(now) - read(before),
  });
  return [
    // The upper bound is what can be compared: the exact sum is not always known.
    gauge(limits.memoryBytes, ({ use }) => use?.memoryUpperBytes ?? 0, now.use?.memoryBytes ?? 0),
    gauge(limits.processes, ({ use }) => use?.processes ?? 0),
    gauge(limits.cpuMs, ({ use }) => use?.cpuMs ?? 0),
    gauge(limits.diskBytes, ({ use }) => use?.disk?.usedBytes ?? 0),
  ];
}
