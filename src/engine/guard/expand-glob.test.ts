import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { readWord } from './command-line/read-word.ts';
import { expandGlob } from './expand-glob.ts';

describe('expandGlob', () => {
  it('finds everything that bash finds', async () => {
    using directory = createTemporaryDirectory();
    for (const name of ['a', 'ab', 'B', '.a', '.hidden', 'a[b]', 'a*', 'é', 'a b', '\\'])
      writeFileSync(join(directory.path, name), '');
    for (const name of ['d', '.d', 'd/e']) mkdirSync(join(directory.path, name));
    for (const name of ['d/a', 'd/.x', 'd/e/ab', '.d/a']) writeFileSync(join(directory.path, name), '');
    const piece = fc.constantFrom(
      '*',
      '?',
      '[ab]',
      '[!a]',
      '[a-z]',
      'a',
      'b',
      'd',
      '.',
      '/',
      "'*'",
      '"a"',
      '\\[',
      'e',
      '[',
      ']',
      '*/',
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(pattern, async (text) => {
        const [word] = readWord(text);
        if (word?.kind !== 'open' || word.glob === undefined || text.startsWith('/')) return;
        const script = `shopt -s nullglob; printf '%s\\0' ${text}`;
        const { stdout } = spawnSync('bash', ['--norc', '-c', script], { cwd: directory.path, encoding: 'utf8' });
        const expected = stdout.split('\0').filter((name) => name !== '');
        const names = await list(expandGlob(join(directory.path, word.head ?? '.'), word.glob));
        found += expected.length;
        expect(names).toEqual(
          expect.arrayContaining(expected.map((name) => join(directory.path, name.replace(/\/+$/, '')))),
        );
      }),
      { numRuns: 150 },
    );
    expect(found).toBeGreaterThan(20);
  });

  it('takes a name for its characters and for its bytes, as the shell does one or the other by its locale', async () => {
    using directory = createTemporaryDirectory();
    writeFileSync(join(directory.path, 'é'), '');
    const found = await Promise.all(['?', '??', '???'].map((glob) => list(expandGlob(directory.path, glob))));
    expect(found.map((names) => names.length)).toEqual([1, 1, 0]);
  });

  it('takes no longer for many stars', async () => {
    using directory = createTemporaryDirectory();
    writeFileSync(join(directory.path, 'a'.repeat(250)), '');
    expect(await list(expandGlob(directory.path, `${'*a'.repeat(100)}*b`))).toEqual([]);
  });
});

async function list(paths: AsyncIterable<string>): Promise<string[]> {
  const listed: string[] = [];
  for await (const path of paths) listed.push(path);
  return listed;
}
