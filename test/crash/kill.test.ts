// The same with real processes: a sample of the points at which a crash can be had, all of them are in `npm run torture`.
import { describe, expect, it } from 'vitest';
import type { CrashPoint } from '../../src/engine/journal/crash-point.ts';
import { killAt, runUntouched } from './kill-at.ts';

const untouched = runUntouched();

const sample: readonly (readonly [CrashPoint, number])[] = [
  ['after-reply', 4],
  ['before-rename', 6],
  ['between-changes', 4],
  ['after-act', 6],
  ['before-check', 1],
];

describe('the command line', () => {
  it.each(sample)(
    'killed at %s %i goes on to the end that it would have had',
    async (point, nth) => {
      const killed = await killAt(await untouched, point, nth);
      const none = { wrongEnds: 0, paidTwice: 0, fetchedTwice: 0, unlistedCharges: 0 };
      expect(killed).toEqual({ ...none, killed: 'in-the-run', asked: expect.any(Number) });
    },
    120_000,
  );
});
