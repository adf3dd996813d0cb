import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { keepFresh } from './fresh-value.ts';

describe('a value that is kept fresh', () => {
  it('is asked for once, however many want it meanwhile', async () => {
    let asked = 0;
    const source = keepFresh(async () => ++asked);
    expect([source.latest(0), source.latest(0)]).toEqual([null, null]);
    await setImmediate();
    expect([source.latest(60_000)?.value, asked]).toEqual([1, 1]);
  });

  it('is asked for again when it is too old, and given as it is until then', async () => {
    let asked = 0;
    const source = keepFresh(async () => ++asked);
    source.latest(0);
    await setImmediate();
    expect(source.latest(-1)?.value).toBe(1);
    await setImmediate();
    expect(source.latest(60_000)?.value).toBe(2);
  });

  it('stays as it was where it cannot be told, and says from when it is', async () => {
    const answers = ['first', null, 'third'];
    const source = keepFresh(async () => answers.shift() ?? null);
    const [seen, began] = [[] as (string | undefined)[], performance.now()];
    for (let round = 0; round < 4; round++) {
      seen.push(source.latest(-1)?.value);
      await setImmediate();
    }
    expect(seen).toEqual([undefined, 'first', 'first', 'third']);
    expect(source.latest(60_000)?.askedAtMs).toBeGreaterThan(began);
  });
});
