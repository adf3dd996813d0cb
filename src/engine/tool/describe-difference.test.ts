import { describe, expect, it } from 'vitest';
import { describeDifference } from './describe-difference.ts';

const open = { holdsSecret: () => false };
const lines = (...texts: readonly string[]) => Buffer.from(texts.map((text) => `${text}\n`).join(''));
const many = (text: string) => lines(...Array.from({ length: 500 }, (_, index) => `${text} ${index}`));

describe('the difference between two versions of a file', () => {
  it('is the lines that differ, between a few that do not', async () => {
    const [before, after] = [lines('a', 'b', 'c', 'd', 'e', 'f'), lines('a', 'b', 'c', 'D', 'e', 'f')];
    expect(await describeDifference(before, after, open)).toBe('@@ -2,5 +2,5 @@\n b\n c\n-d\n+D\n e\n f');
  });

  it('ends where it gets long, and says so', async () => {
    const told = await describeDifference(lines('old'), many('new'), open);
    expect(told?.length).toBeLessThan(4100);
    expect(told).toMatch(/\n\+new \d+\n\[the rest is left out\]$/);
  });

  it('ends in a long line as well', async () => {
    const told = await describeDifference(lines('a'), lines('😀'.repeat(5000)), open);
    expect([told?.isWellFormed(), (told?.length ?? 0) < 4100]).toEqual([true, true]);
  });

  it.each([
    ['of what is no text', Buffer.from([0, 1, 2]), lines('a')],
    ['of what is too long to compare', lines('a'), Buffer.alloc(256 * 1024 + 1, 'a')],
  ])('is not told %s', async (_title, before, after) => {
    expect(await describeDifference(before, after, open)).toBeNull();
  });

  it('is not told where one of the two holds a secret', async () => {
    const holdsSecret = (text: string) => text.includes('key');
    expect(await describeDifference(lines('a'), lines('key'), { holdsSecret })).toBeNull();
    expect(await describeDifference(lines('key'), lines('a'), { holdsSecret })).toBeNull();
  });
});
