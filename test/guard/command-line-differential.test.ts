// What the reader says of a line is held against what the real bash does with it: every program that bash starts has to be a
// part with these very words, or lie in a part that is opaque.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CommandLineReader,
  type LinePart,
  openCommandLineReader,
} from '../../src/engine/guard/command-line/read-command-line.ts';
import { openRecorder, type Recorder } from './command-line-recorder.ts';
import { tricks } from './command-line-tricks.ts';

const succeeding = ['rm', 'cat', 'git', 'ls', 'tee', 'cp', 'grep', 'find', 'sed', 'make', 'x', 'if2'];
const failing = ['no', 'missing'];

let reader: CommandLineReader;
let recorder: Recorder;

beforeAll(async () => {
  reader = await openCommandLineReader();
  recorder = openRecorder({ succeeding, failing });
});
afterAll(() => recorder?.[Symbol.dispose]());

/** Of each kind; a line takes bash about as long as it takes to start the programs in it. */
const linesOfAKind = 120;

describe('the reader beside the real bash', () => {
  it.each([
    ['lines of the grammar', () => toLine()],
    ['lines of the grammar with a few characters put in, taken out or doubled', () => mutated(toLine())],
    ['signs in any order', () => signs()],
  ])('%s: no program starts that is not in a part', (_title, toArbitrary) => {
    let [lines, started, exact] = [0, 0, 0];
    fc.assert(
      fc.property(toArbitrary(), (line) => {
        const parts = reader.readLine(line);
        const execs = line.includes('\0') || !line.isWellFormed() ? [] : recorder.record(line);
        lines++;
        started += execs.length;
        exact += execs.filter((words) => parts.some((part) => isCommand(part, words))).length;
        expect(execs.filter((words) => !parts.some((part) => covers(part, words)))).toEqual([]);
      }),
      { numRuns: linesOfAKind },
    );
    expect(exact).toBeGreaterThan(0);
    process.stdout.write(
      `${lines} lines started ${started} programs, ${exact} as exact parts; ${recorder.isolation}\n`,
    );
  });
});

describe('lines that were made to hide something', () => {
  it('hide nothing', () => {
    const missed = tricks.flatMap((line) => {
      const parts = reader.readLine(line);
      const words = recorder.record(line).filter((exec) => !parts.some((part) => covers(part, exec)));
      return words.length === 0 ? [] : [{ line, words }];
    });
    expect(missed).toEqual([]);
  });
});

function covers(part: LinePart, words: readonly string[]): boolean {
  return isCommand(part, words) || (part.kind === 'opaque' && (part.program === null || part.program === words[0]));
}

function isCommand(part: LinePart, words: readonly string[]): boolean {
  return (
    part.kind === 'command' &&
    part.words.length === words.length &&
    part.words.every((word, index) => word === words[index])
  );
}

const pieces = [
  'a',
  'b1',
  '-rf',
  '--all',
  'x=1',
  "'q r'",
  '"d e"',
  '""',
  "''",
  '\\ s',
  'a\\\nb',
  "$'t\\tz'",
  "$'\\x41'",
  '{p,q}',
  'k{,.bak}',
  '{}',
  '{1..3}',
  'm"n"o',
  '#h',
  'i#j',
  '~',
  '~/w',
  '*',
  '?',
  '[ab]',
  '$u',
  '"$u"',
  `\${u}`,
  `\${u:-v}`,
  '$((1+2))',
  '!',
  '-',
  '--',
  '=',
  'if',
  'do',
  'done',
  '}',
  '{',
  'é',
  '"a\\"b"',
  "'a'\\''b'",
  '"\\$u"',
  '$',
  '%',
  '^',
  '@',
  '+',
  ',',
  ':',
  'a:~',
  'a=~/b',
  '[',
  ']',
  '[[',
  'time',
  'in',
];

function toLine(): fc.Arbitrary<string> {
  const program = fc.constantFrom(
    ...succeeding,
    ...failing,
    ...succeeding,
    'r"m"',
    '\\rm',
    "'ls'",
    'c\\at',
    'absent',
    '$u',
    'time',
    '!',
  );
  const { line } = fc.letrec<
    Record<'line' | 'list' | 'statement' | 'simple' | 'word' | 'redirect' | 'assignment', string>
  >((tie) => ({
    word: fc.oneof(
      { maxDepth: 3 },
      { weight: 12, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: tie('list').map((list) => `$(${list})`) },
      { weight: 1, arbitrary: tie('list').map((list) => `"$(${list})"`) },
      { weight: 1, arbitrary: tie('simple').map((list) => `\`${list}\``) },
      { weight: 1, arbitrary: tie('list').map((list) => `<(${list})`) },
    ),
    redirect: fc.constantFrom(
      '>f',
      '> f',
      '2>f',
      '2>&1',
      '>&2',
      '<f',
      '>>f',
      '&>f',
      '>|f',
      '< f',
      '<<<w',
      '2>/dev/null',
      '>&-',
      '{v}>f',
      '<>f',
      '>f g',
      '> "f g"',
    ),
    assignment: fc.constantFrom(
      'u=1',
      'CI=1',
      'u="a b"',
      'u=',
      'u+=2',
      'u[0]=1',
      'LC_ALL=C',
      'u=(a b)',
      'IFS=x',
      'u=$(rm z)',
    ),
    simple: fc
      .tuple(
        fc.array(tie('assignment'), { maxLength: 1 }),
        program,
        fc.array(fc.oneof({ weight: 5, arbitrary: tie('word') }, { weight: 1, arbitrary: tie('redirect') }), {
          maxLength: 4,
        }),
      )
      .map(([before, name, rest]) => [...before, name, ...rest].join(' ')),
    statement: fc.oneof(
      { maxDepth: 3 },
      { weight: 8, arbitrary: tie('simple') },
      { weight: 1, arbitrary: tie('list').map((list) => `(${list})`) },
      { weight: 1, arbitrary: tie('list').map((list) => `{ ${list}; }`) },
      { weight: 1, arbitrary: tie('list').map((list) => `! { ${list}\n}`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('list'), tie('list'), tie('list'))
          .map(([a, b, c]) => `if ${a}; then ${b}; else ${c}; fi`),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(tie('list'), tie('list')).map(([a, b]) => `if ${a}\nthen ${b}\nelif x; then\nls; fi`),
      },
      { weight: 1, arbitrary: fc.tuple(tie('word'), tie('list')).map(([a, b]) => `for u in a ${a}; do ${b}; done`) },
      { weight: 1, arbitrary: fc.tuple(tie('list'), tie('list')).map(([a, b]) => `while ${a}; do ${b}; break; done`) },
      { weight: 1, arbitrary: tie('list').map((list) => `until ls; do ${list}; done`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('word'), tie('list'), tie('list'))
          .map(([a, b, c]) => `case ${a} in a|b) ${b};; (*) ${c} ;; esac`),
      },
      { weight: 1, arbitrary: fc.tuple(tie('list'), tie('list')).map(([a, b]) => `f() { ${a}; }; ${b}; f y`) },
      { weight: 1, arbitrary: tie('word').map((word) => `[ ${word} = a ] && rm t`) },
      { weight: 1, arbitrary: tie('word').map((word) => `[[ ${word} == a ]] || rm t`) },
      { weight: 1, arbitrary: tie('list').map((list) => `eval '${list.replaceAll("'", `'\\''`)}'`) },
      { weight: 1, arbitrary: tie('simple').map((simple) => `command ${simple}`) },
      { weight: 1, arbitrary: tie('simple').map((simple) => `exec ${simple}`) },
      { weight: 1, arbitrary: tie('simple').map((simple) => `trap '${simple.replaceAll("'", `'\\''`)}' EXIT`) },
      { weight: 1, arbitrary: tie('simple').map((simple) => `coproc ${simple}`) },
      { weight: 1, arbitrary: tie('simple').map((simple) => `${simple} # c ; rm no`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '(( u++ ))',
          'let u=1',
          'cd d',
          'shopt -s extglob',
          'alias ls=rm',
          'set -- a b',
          'printf x',
          'echo y',
          'test -f a',
        ),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            fc.constantFrom('E', "'E'", '"E"', '\\E', 'E"F"', '-E', "-'E'"),
            tie('word'),
            fc.constantFrom('', ' | rm p', ' && ls', ' >f', '; rm s', ' -l'),
          )
          .map(
            ([mark, word, after]) => `cat <<${mark}${after}\nbody ${word}\n${mark.includes('F') ? 'EF' : 'E'}\nls end`,
          ),
      },
    ),
    list: fc
      .tuple(
        tie('statement'),
        fc.array(
          fc.tuple(fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& ', ';', '&&'), tie('statement')),
          { maxLength: 2 },
        ),
      )
      .map(([first, rest]) => first + rest.map(([operator, statement]) => operator + statement).join('')),
    line: fc.array(tie('list'), { minLength: 1, maxLength: 2 }).map((lists) => lists.join('\n')),
  }));
  return line;
}

/** Lines that nobody would write: the tree has to be doubted where they are not what it seems. */
function mutated(lines: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(400),
    fc.constantFrom('in', 'out', 'twice'),
    fc.constantFrom(...'\'"\\ \n;&|<>(){}$`#=!*a-[]~\t\r'),
  );
  return fc.tuple(lines, fc.array(change, { minLength: 1, maxLength: 3 })).map(([line, changes]) =>
    changes.reduce((text, [place, kind, character]) => {
      const at = place % (text.length + 1);
      if (kind === 'in') return text.slice(0, at) + character + text.slice(at);
      if (kind === 'out') return text.slice(0, at) + text.slice(at + 1);
      return text.slice(0, at) + text.slice(at, at + 1) + text.slice(at);
    }, line),
  );
}

function signs(): fc.Arbitrary<string> {
  const sign = fc.constantFrom(
    ...pieces,
    ...succeeding,
    'rm',
    ' ',
    ' ',
    ' ',
    '\n',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '(',
    ')',
    '<',
    '>',
    '<<',
    '<<<',
    '$(',
    '`',
    '${',
    '}',
    '$((',
    '))',
    '"',
    "'",
    '\\',
    'then',
    'fi',
    'for',
    'case',
    'esac',
    ';;',
    'function',
    'f()',
    'E',
    '<<E',
    '\nE\n',
    '<(',
  );
  const start = fc.constantFrom('rm ', 'ls; cat ', 'ls\n', '');
  const all = fc.array(sign, { minLength: 2, maxLength: 10 });
  return fc
    .tuple(start, all, fc.constantFrom('', ' ', ';'))
    .map(([first, rest, between]) => first + rest.join(between));
}
