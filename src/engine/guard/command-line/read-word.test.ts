import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWord } from './read-word.ts';
import type { Word } from './word.ts';

const values = (words: readonly Word[]) => words.map((word) => (word.kind === 'literal' ? word.value : null));

describe('readWord', () => {
  it.each([
    ['plain', ['plain']],
    ["'a b'", ['a b']],
    ['"a b"', ['a b']],
    ['a\\ b', ['a b']],
    ['r"m"', ['rm']],
    ["'a'\\''b'", ["a'b"]],
    ['"\\$x \\" \\n"', ['$x " \\n']],
    ["$'a\\tb\\x41\\u0042\\103\\''", ["a\tbABC'"]],
    ['a\\\nb', ['ab']],
    ['""', ['']],
    ['$', ['$']],
    ['a$', ['a$']],
    ['{}', ['{}']],
    ['{a}', ['{a}']],
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
    ['k{,.bak}', ['k', 'k.bak']],
    ["'{a,b}'", ['{a,b}']],
    ["'*'", ['*']],
    ['a[b', ['a[b']],
    ['i#j', ['i#j']],
    ['é!', ['é!']],
  ])('%s is what the shell makes of it', (text, expected) => {
    expect(values(readWord(text))).toEqual(expected);
  });

  it.each([
    ['$x', 'has a value that is known only when it runs'],
    ['"a$x"', 'has a value that is known only when it runs'],
    ['`x`', 'has a value that is known only when it runs'],
    ['"$(x)"', 'has a value that is known only when it runs'],
    ['$"x"', 'has a value that is known only when it runs'],
    ['<(x)', 'is another command as a file'],
    ["$'\\xff'", 'is not written as a plain word'],
    ["$'a\\0b'", 'is not written as a plain word'],
    ['#x', 'is not written as a plain word'],
    ['a>b', 'is not written as a plain word'],
    ['"open', 'is not written as a plain word'],
    ['\\\n', 'is not written as a plain word'],
    ['\\\n#x', 'is not written as a plain word'],
    ['$\\\nx', 'has a value that is known only when it runs'],
    ['"$\\\nx"', 'has a value that is known only when it runs'],
    ["$\\\n'x'", 'has a value that is known only when it runs'],
    ['{a,$}x', 'has a value that is known only when it runs'],
    ['{,a}', 'has braces that make a word of nothing'],
    ['{1..3}', 'is written with braces'],
    ['{a,{b,c}}', 'is written with braces'],
    ['{a,b', 'is written with braces'],
    ['{a,b}'.repeat(7), 'has braces that make too many words of it'],
    ['~bob/x', 'depends on a home directory'],
    ['of=~/x', 'depends on a home directory'],
    ['a:~/x', 'depends on a home directory'],
  ])('%s is open', (text, reason) => {
    expect(readWord(text)).toEqual([{ kind: 'open', text, reason, head: null }]);
  });

  it.each([
    ['*.c', '.', '*.c'],
    ['src/*.c', 'src/', '*.c'],
    ['/etc/pass??', '/etc/', 'pass??'],
    ['a/[bc]/d', 'a/', '[bc]/d'],
    ['"a b"/*', 'a b/', '*'],
    ['~/x/*', '~/x/', '*'],
    ["'~'/*", './~/', '*'],
    [`d/""'*'x*`, 'd/', '\\*x*'],
  ])('%s is a pattern that looks below %s for %s', (text, head, glob) => {
    expect(readWord(text)).toEqual([{ kind: 'open', text, reason: 'is a pattern for names of files', head, glob }]);
  });

  it('knows the home of its owner from a file of that name', () => {
    expect(['~/x', '~', "'~/x'", '\\~/x'].map((text) => readWord(text))).toEqual([
      [{ kind: 'literal', text: '~/x', value: '~/x', isHome: true }],
      [{ kind: 'literal', text: '~', value: '~', isHome: true }],
      [{ kind: 'literal', text: "'~/x'", value: '~/x', isHome: false }],
      [{ kind: 'literal', text: '\\~/x', value: '~/x', isHome: false }],
    ]);
  });

  it('is literal only where bash gives the same words', () => {
    const sign = fc.constantFrom(...'ab1 \'"\\$', ...'{}[],.~*?=:#!-/n\n@%^+é', "$'", '..', '\\x4', '""');
    const texts = fc.sample(
      fc.array(sign, { minLength: 1, maxLength: 8 }).map((all) => all.join('')),
      { numRuns: 4000 },
    );
    const literal = texts
      .map((text) => ({ text, words: readWord(text) }))
      .filter(({ words }) => words.every((word) => word.kind === 'literal' && !word.isHome));
    expect(literal.length).toBeGreaterThan(500);
    const script = literal.map(({ text }) => `printf '%s\\0' ${text} $'\\x01'\n`).join('');
    const { stdout } = spawnSync('bash', ['--noprofile', '--norc'], {
      input: script,
      env: { LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    const seen = stdout
      .split('\x01\0')
      .slice(0, -1)
      .map((group) => group.split('\0').slice(0, -1));
    expect(seen).toEqual(literal.map(({ words }) => values(words)));
  });

  it('takes any text, and never more than a moment', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => readWord(text).length > 0));
    const start = performance.now();
    for (const sign of ['[', '{', '{,', '$', '~', '\\', "'", '"', '*', '{a,b}']) readWord(sign.repeat(20_000));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
