import { describe, expect, it } from 'vitest';
import { isWalkDue } from './pace-walks.ts';

const mebibyte = 1024 ** 2;
const free = { bytes: 1000 * mebibyte, entries: 1_000_000 };
const lost = (mebibytes: number, entries = 0) => ({
  bytes: free.bytes - mebibytes * mebibyte,
  entries: free.entries - entries,
});

describe('going through the directories of a command', () => {
  it.each([
    ['is not done again at once', lost(1), { tookMs: 1, sinceMs: 249 }, false],
    ['is done again after a while where something has moved', lost(1), { tookMs: 1, sinceMs: 250 }, true],
    ['is done again where room has become free', lost(-1), { tookMs: 1, sinceMs: 250 }, true],
    ['is not done where nothing has moved', free, { tookMs: 1, sinceMs: 4999 }, false],
    ['is done now and then where nothing ever seems to move', free, { tookMs: 1, sinceMs: 5000 }, true],
    ['waits the longer the longer it takes', lost(1), { tookMs: 100, sinceMs: 1999 }, false],
    ['is done at once where half of the room may be gone', lost(51), { tookMs: 1, sinceMs: 3 }, true],
    ['is done at once where so many files are new', lost(0, 60_000), { tookMs: 1, sinceMs: 3 }, true],
    ['takes no more than a share of a core even then', lost(51), { tookMs: 100, sinceMs: 299 }, false],
  ])('%s', (_what, now, last, isDue) => {
    expect(isWalkDue(now, { free, ...last }, 100 * mebibyte)).toBe(isDue);
  });
});
