import { describe, expect, it } from 'vitest';
import { afterEither, enterDirectory, joinDirectories, joinEndings, staysIn } from './directories.ts';

describe('where the shell may be', () => {
  it('a step may fail, and leaves the shell where it was then', () => {
    expect(enterDirectory(['.', 'b'], 'a/../c/')).toEqual({ success: ['c', 'b/c'], failure: ['.', 'b'] });
  });

  it('an absolute step leads there from anywhere', () => {
    expect([enterDirectory(null, '/w/../x/'), enterDirectory(null, 'a')]).toEqual([
      { success: ['/x'], failure: null },
      { success: null, failure: null },
    ]);
  });

  it('more places than a few are any place', () => {
    expect([
      joinDirectories(['a', 'b'], ['b', 'c']),
      joinDirectories(['a', 'b', 'c'], ['d', 'e']),
      joinDirectories(['a'], null),
    ]).toEqual([['a', 'b', 'c'], null, null]);
  });

  it('several ways end in all of their places', () => {
    expect(joinEndings(staysIn(['a']), { success: ['b'], failure: ['c'] })).toEqual(staysIn(['a', 'b', 'c']));
    expect(afterEither({ success: ['a'], failure: ['a'] })).toEqual(['a']);
  });
});
