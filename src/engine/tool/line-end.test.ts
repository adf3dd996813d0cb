import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLineEnds, countLines, listLineEnds } from './line-end.ts';

describe('countLineEnds', () => {
  it('finds as many as there are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n') });
    fc.assert(
      fc.property(text, (each) => {
        const ends = listLineEnds(each);
        const pairs = ends.filter((end) => end === '\r\n');
        expect([countLineEnds(each), countLineEnds(each, '\r\n')]).toEqual([ends.length, pairs.length]);
      }),
    );
  });

  it('takes no memory for a file that is nothing but line ends', () => {
    const text = '\r\n'.repeat(2_000_000);
    const before = process.memoryUsage().heapUsed;
    expect([countLineEnds(text), countLineEnds(text, '\r\n')]).toEqual([2_000_000, 2_000_000]);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('countLines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\n\nb', 3],
  ])('counts %j as %d', (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});
