import { describe, expect, it } from 'vitest';
import { answerMany } from '../support/answer-many.ts';

describe('a hundred questions of one reply', () => {
  it.each([1, 2])(
    'are each answered once and start at most one act, whoever is killed meanwhile (seed %i; nimbalyst/nimbalyst#1348)',
    async (seed) => {
      const counted = await answerMany({ seed, questions: 100, kills: 6 });
      process.stdout.write(`${JSON.stringify(counted)}\n`);
      const none = { startedTwice: 0, startedUnasked: 0, lost: 0, wrongFiles: 0, divergences: 0 };
      expect(counted).toMatchObject(none);
      expect(counted.answered).toBeGreaterThanOrEqual(100);
    },
    180_000,
  );
});
