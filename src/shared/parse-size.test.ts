import { describe, expect, it } from 'vitest';
import { parseSize } from './parse-size.ts';

describe('a size', () => {
  it.each([
    ['0', 0],
    ['1000', 1000],
    ['500MB', 500_000_000],
    ['1.5 g', 1_500_000_000],
    ['2kb', 2000],
    ['2KiB', 2048],
    ['10GiB', 10 * 1024 ** 3],
    ['1ti', 1024 ** 4],
    ['', null],
    ['i', null],
    ['10iB', null],
    ['-1', null],
    ['1e9', null],
    ['ten', null],
    ['5 PB', null],
  ])('%j is %j', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });
});
