import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sight } from './find-cap-hit.ts';
import { paceLooks } from './pace-looks.ts';
import { defaultLimits } from './sandbox.ts';

const mebi = 1024 ** 2;
const limits = { ...defaultLimits, memoryBytes: 400 * mebi, processes: 100, cpuMs: 60_000, diskBytes: 1000 * mebi };

interface More {
  readonly processes?: number;
  readonly cpuMs?: number;
  readonly memoryBytes?: number;
}

function sight(elapsedMs: number, memoryUpperBytes: number, more: More = {}): Sight {
  const use = { memoryUpperBytes, memoryBytes: memoryUpperBytes, processes: 1, cpuMs: 0, disk: null, ...more };
  return { elapsedMs, writtenBytes: 0, use, refusals: {} };
}

const pace = (before: Sight | null, now: Sight, more: { costMs?: number; lastDelayMs?: number } = {}): number =>
  paceLooks({ before, now, costMs: 0, lastDelayMs: 5, ...more }, limits);

describe('when a command is looked at again', () => {
  it.each([
    ['at once while it is young', pace(null, sight(0, mebi)), 5],
    ['at once while it is young and grows', pace(sight(100, mebi), sight(105, 2 * mebi)), 5],
    ['at once while it is young and quiet', pace(sight(100, mebi), sight(105, mebi), { lastDelayMs: 80 }), 5],
    ['twice before memory that grows is used up', pace(sight(1000, 200 * mebi), sight(1020, 250 * mebi)), 30],
    ['soon where it is nearly used up', pace(sight(1000, 380 * mebi), sight(1020, 399 * mebi)), 1],
    [
      'soon where it grows and is only exactly within its limit',
      pace(sight(1000, 390 * mebi), sight(1005, 410 * mebi, { memoryBytes: 396 * mebi })),
      1,
    ],
    ['twice before it has too many processes', pace(sight(1000, mebi), sight(1010, mebi, { processes: 21 })), 19.75],
    ['after a while where it grows slowly', pace(sight(1000, mebi), sight(1050, 2 * mebi)), 50],
    ['later and later while nothing moves', pace(sight(1000, mebi), sight(1050, mebi), { lastDelayMs: 40 }), 80],
    ['not after too long', pace(sight(1000, 0), sight(1050, 0), { lastDelayMs: 200 }), 100],
    [
      'sooner where little memory is left to fill',
      pace(sight(1000, 320 * mebi), sight(1050, 320 * mebi), { lastDelayMs: 99 }),
      20,
    ],
    ['seldom where a look costs much', pace(sight(1000, 0), sight(1050, 0), { costMs: 3 }), 150],
    [
      'less seldom where it costs much and something moves',
      pace(sight(1000, 0), sight(1050, mebi), { costMs: 60 }),
      60,
    ],
  ])('%s', (_title, delayMs, expected) => {
    expect(delayMs).toBe(expected);
  });

  it('is always a time to wait for, never at once and never never', () => {
    const amount = fc.double({ min: 0, max: 2 ** 40, noNaN: true });
    const seen = fc.record({ elapsedMs: amount, memoryBytes: amount, cpuMs: amount, processes: fc.nat(10_000) });
    fc.assert(
      fc.property(seen, seen, fc.double({ min: 0, max: 100, noNaN: true }), (one, other, costMs) => {
        const [before, now] = [one, other].sort((a, b) => a.elapsedMs - b.elapsedMs);
        if (before === undefined || now === undefined) return;
        const delayMs = pace(
          sight(before.elapsedMs, before.memoryBytes, before),
          sight(now.elapsedMs, now.memoryBytes, now),
          { costMs },
        );
        expect(delayMs).toBeGreaterThanOrEqual(1);
        expect(delayMs).toBeLessThanOrEqual(250);
      }),
    );
  });
});
