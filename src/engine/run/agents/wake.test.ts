import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWake } from './wake.ts';

/** What has been awaited by now. */
function watch(...waits: readonly Promise<void>[]): () => Promise<boolean[]> {
  const over = waits.map(() => false);
  for (const [place, wait] of waits.entries()) {
    void wait.then(() => {
      over[place] = true;
    });
  }
  return async () => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return [...over];
  };
}

describe('a wake', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is not missed by one that comes to sleep later, and ends one sleep, not two', async () => {
    const wake = createWake();
    wake.ring();
    wake.ring();
    await wake.wait(null);
    const second = watch(wake.wait(null));
    expect(await second()).toEqual([false]);
    wake.ring();
    expect(await second()).toEqual([true]);
  });

  it('ends a sleep before its time, and leaves no timer behind', async () => {
    const wake = createWake();
    const wait = watch(wake.wait(1000));
    wake.ring();
    expect([await wait(), vi.getTimerCount()]).toEqual([[true], 0]);
  });

  it('lets a sleep end by itself when its time has come', async () => {
    const wake = createWake();
    const wait = watch(wake.wait(1000));
    vi.advanceTimersByTime(999);
    const early = await wait();
    vi.advanceTimersByTime(1);
    expect([early, await wait()]).toEqual([[false], [true]]);
  });

  it('sleeps on where the time is longer than a timer can be', async () => {
    const wait = watch(createWake().wait(2 ** 40));
    vi.advanceTimersByTime(1000);
    expect(await wait()).toEqual([false]);
  });
});
