import { describe, expect, it } from 'vitest';
import { lookRepeatedly } from './look-repeatedly.ts';

/** Resolves with what was counted when `look` has been called so many times. */
async function lookTimes(times: number, look: (count: number) => number): Promise<number> {
  const done = Promise.withResolvers<number>();
  let count = 0;
  using _looks = lookRepeatedly(() => {
    count++;
    if (count === times) done.resolve(count);
    return look(count);
  });
  return await done.promise;
}

function burn(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

describe('repeated looks', () => {
  it('come when they are due, each in its own time', async () => {
    let others = 0;
    using _slow = lookRepeatedly(() => {
      others++;
      return 60_000;
    });
    expect([await lookTimes(20, () => 1), others]).toEqual([20, 1]);
  });

  it('come no more once they are disposed of, also from within one', async () => {
    let count = 0;
    const looks = lookRepeatedly(() => {
      count++;
      looks[Symbol.dispose]();
      return 0;
    });
    await lookTimes(10, () => 1);
    looks[Symbol.dispose]();
    expect(count).toBe(1);
  });

  it('leave most of a core to others however many there are, and nobody is forgotten', async () => {
    const counts = Array.from({ length: 40 }, () => 0);
    let lookedMs = 0;
    const startedAtMs = performance.now();
    using looks = new DisposableStack();
    const everybody = Promise.withResolvers<void>();
    for (const index of counts.keys()) {
      const look = (): number => {
        burn(2);
        lookedMs += 2;
        counts[index] = (counts[index] ?? 0) + 1;
        if (counts.every((count) => count > 1)) everybody.resolve();
        return 5;
      };
      looks.use(lookRepeatedly(look));
    }
    await everybody.promise;
    expect(lookedMs / (performance.now() - startedAtMs)).toBeLessThan(0.4);
  });
});
