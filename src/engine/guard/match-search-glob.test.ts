import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSearchGlob } from './match-search-glob.ts';

describe('createSearchGlob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/deep/down/a.ts', true],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', '.hidden/a.ts', true],
    ['**/test/**', 'a/test/b/c', true],
    ['src/**', 'src/a/b', true],
    ['**', 'a/b', true],
    ['./src/*.ts', 'src/a.ts', true],
    ['/src/*.ts', 'src/a.ts', true],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['{src,lib}/{a,b}.ts', 'lib/b.ts', true],
    ['{src,lib}/{a,b}.ts', 'lib/c.ts', false],
    ['a{b,{c,d}}', 'ad', true],
    ['pages/[id].tsx', 'pages/[id].tsx', true],
    ['{open', '{open', true],
    ['*', '.env', true],
  ])('%j finds %j: %j', (glob, path, expected) => {
    expect(createSearchGlob(glob)(path)).toBe(expected);
  });

  it('never throws and always ends', () => {
    const glob = fc.string({ unit: fc.constantFrom('a', '*', '?', '/', '{', '}', ',', '[') });
    fc.assert(fc.property(glob, (text) => typeof createSearchGlob(text)('a/b/c') === 'boolean'));
  });

  it('does not try every comma of a brace that is never closed', () => {
    const startedMs = performance.now();
    expect(createSearchGlob(`{${','.repeat(100_000)}`)('a')).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  it('stops expanding where choices would multiply without end', () => {
    expect(createSearchGlob('{a,b}'.repeat(40))('a'.repeat(40))).toBe(false);
  });
});
