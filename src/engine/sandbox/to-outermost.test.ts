import { describe, expect, it } from 'vitest';
import { toOutermost } from './to-outermost.ts';

describe('the outermost of some paths', () => {
  it.each([
    ['twice the same', ['a', 'a'], ['a']],
    ['one in another, whichever comes first', ['a/b/c', 'a', 'b', 'b/c'], ['a', 'b']],
    ['names that begin alike', ['a', 'ab', 'a.b/c'], ['a', 'ab', 'a.b/c']],
    ['none', [], []],
  ])('are kept of %s', (_what, paths, expected) => {
    expect(toOutermost(paths)).toEqual(expected);
  });
});
