import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCommandText } from './to-command-text.ts';

describe('toCommandText', () => {
  it.each<[[string, ...string[]], string]>([
    [['git', 'log', '--oneline', '-n=1'], 'git log --oneline -n=1'],
    [['rm', '-rf', 'a b'], "rm -rf 'a b'"],
    [['echo', ''], "echo ''"],
    [['echo', "it's"], `echo 'it'\\''s'`],
    [['echo', '$HOME', '~', '*.ts', 'a\nb'], "echo '$HOME' '~' '*.ts' 'a\nb'"],
    [['A=b', 'A=b'], "'A=b' A=b"],
    [['if', 'if'], "'if' if"],
    [['./my tool', 'x'], "'./my tool' x"],
    [['grep', 'ä'], "grep 'ä'"],
  ])('writes %j as %s', (words, text) => {
    expect(toCommandText(words)).toBe(text);
  });

  it('is read back by bash as the same words, whatever they hold', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'ab=+\'"$`\\ \t\n*?[]{},~!#&;|<>()%^-./:@ä😀'),
      maxLength: 8,
    });
    // A program of a name that no builtin has and that bash looks up.
    const program = word.map((text) => `x${text.replaceAll('/', '')}`);
    const line = fc.tuple(program, fc.array(word, { maxLength: 4 })).map(([head, rest]) => [head, ...rest] as const);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 100 }), (lines) => {
        expect(readBack(lines.map(([head, ...rest]) => toCommandText([head, ...rest])))).toEqual(
          lines.map((each) => [...each]),
        );
      }),
      { numRuns: 20 },
    );
  });
});

/** The words of each line, as bash hands them to the program it does not find. */
function readBack(lines: readonly string[]): string[][] {
  const handler = `command_not_found_handle() { printf '%s\\0' "$#" "$@"; }`;
  const { stdout } = spawnSync('/bin/bash', ['-c', [handler, ...lines].join('\n')], { env: { PATH: '/nonexistent' } });
  const fields = stdout.toString().split('\0').slice(0, -1);
  const words: string[][] = [];
  while (fields.length > 0) words.push(fields.splice(0, Number(fields.shift())));
  return words;
}
