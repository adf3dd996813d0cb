import { describe, expect, it } from 'vitest';
import { parseQuota, parseSize } from './parse-quota.ts';

describe('a size', () => {
  it.each([
    ['0', 0],
    ['1000', 1000],
    ['500MB', 500_000_000],
    ['1.5 g', 1_500_000_000],
    ['2kb', 2000],
    ['', null],
    ['-1', null],
    ['1e9', null],
    ['ten', null],
    ['5 PB', null],
  ])('%j is %j', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });
});

describe('the quota', () => {
  it('is ten gigabytes unless something else is said, and can be none', () => {
    expect([parseQuota(undefined), parseQuota(''), parseQuota('none'), parseQuota('1GB')]).toEqual([
      10_000_000_000,
      10_000_000_000,
      null,
      1_000_000_000,
    ]);
  });

  it('that is no size is refused with what it was', () => {
    expect(() => parseQuota('much')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining('"much"') }),
    );
  });
});
