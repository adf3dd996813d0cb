import { describe, expect, it } from 'vitest';
import { createQueue } from './create-queue.ts';

describe('a queue', () => {
  it('begins a piece of work when the one before it has ended, also by failing', async () => {
    const queue = createQueue();
    const told: string[] = [];
    const { promise, reject } = Promise.withResolvers<never>();
    const first = queue(() => {
      told.push('first begins');
      return promise;
    });
    const second = queue(async () => told.push('second begins'));
    await Promise.resolve();
    told.push('first fails');
    reject(new RangeError('It failed'));
    await expect(first).rejects.toThrow('It failed');
    expect([await second, told]).toEqual([3, ['first begins', 'first fails', 'second begins']]);
  });
});
