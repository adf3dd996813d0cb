import { describe, expect, it } from 'vitest';
import { toRetryDelayMs } from './retry-delay.ts';

describe('toRetryDelayMs', () => {
  it('doubles from half a second and stops at thirty', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 40].map((attempt) => toRetryDelayMs(attempt, { random: 0 }));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  });

  it('takes off up to half by chance, so that runs that failed together do not return together', () => {
    expect([0, 0.5, 1].map((random) => toRetryDelayMs(3, { random }))).toEqual([2000, 1500, 1000]);
  });

  it('never comes back before the server asked to (NousResearch/hermes-agent#36276)', () => {
    const delays = [100, 7000, 90_000].map((retryAfterMs) => toRetryDelayMs(1, { retryAfterMs, random: 0 }));
    expect(delays).toEqual([500, 7000, 90_000]);
  });
});
