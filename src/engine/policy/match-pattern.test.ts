import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchGlob } from './match-pattern.ts';

describe('matchGlob', () => {
  it.each([
    ['.env', '.env', true],
    ['.env', 'config/.env', false],
    ['.env', '.envrc', false],
    ['*.pem', 'deep/down/server.pem', true],
    ['src/*', 'src/a/b.ts', true],
    ['src/*', 'lib/src/a.ts', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'a😀c', true],
    ['a??c', 'a😀c', false],
    ['', '', true],
    ['*', '', true],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['.ENV', '.env', false],
    ['a.c', 'abc', false],
    ['*', 'line\nbreak', true],
  ])('%j against %j is %j', (pattern, target, expected) => {
    expect(matchGlob(pattern, target)).toBe(expected);
  });

  it('agrees with a plain regular expression on every pattern', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '😀'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*', '?', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (glob, target) => {
        expect(matchGlob(glob, target)).toBe(toReference(glob).test(target));
      }),
    );
  });

  it('never throws, whatever it is given', () => {
    const any = fc.string({ unit: 'binary' });
    fc.assert(fc.property(any, any, (pattern, target) => typeof matchGlob(pattern, target) === 'boolean'));
  });

  it('answers at once where a backtracking matcher would not in a lifetime', () => {
    expect(matchGlob(`${'a*'.repeat(100)}b`, 'a'.repeat(20_000))).toBe(false);
  });
});

function toReference(glob: string): RegExp {
  const source = glob.replace(/[.*?/]/g, (each) => (each === '*' ? '.*' : each === '?' ? '.' : `\\${each}`));
  return new RegExp(`^${source}$`, 'su');
}
