import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CommandLineReader, type LinePart, openCommandLineReader } from './read-command-line.ts';

let reader: CommandLineReader;

beforeAll(async () => {
  reader = await openCommandLineReader();
});

/** A part in one short line. */
function show(part: LinePart): string {
  switch (part.kind) {
    case 'command':
      return `run ${part.words.map((word) => (/^[^\s]+$/.test(word) ? word : JSON.stringify(word))).join(' ')}${at(part.directory)}`;
    case 'opaque':
      return `opaque ${part.program ?? '?'}: ${part.text}${at(part.directory)}`;
    case 'path':
      return `${part.act} ${part.path}${at(part.directory)}${part.isDeep ? ' and below' : ''}`;
    case 'net':
      return `dial ${part.target}`;
  }
}

function at(directory: string | null): string {
  if (directory === null) return ' (somewhere)';
  return directory === '.' || directory === '/' ? '' : ` (in ${directory})`;
}

const read = (line: string) => reader.readLine(line).map(show);
const commands = (line: string) => read(line).filter((part) => part.startsWith('run '));
const opaque = (line: string) => read(line).filter((part) => part.startsWith('opaque '));

describe('every command of a line is a part by itself', () => {
  it.each([
    ['ok && rm -rf x', ['run ok', 'run rm -rf x', 'write x and below']],
    ['find . | xargs rm', ['run find .', 'read . and below', 'run xargs rm', 'opaque rm: rm …']],
    ['find . -exec rm {} \\;', ['run find . -exec rm {} ;', 'read . and below', 'opaque rm: rm {}']],
    ['find a -execdir rm {} +', ['run find a -execdir rm {} +', 'read a and below', 'opaque rm: rm {} (somewhere)']],
    [
      'true | sudo -u me xargs -n 1 rm -f',
      ['run true', 'run sudo -u me xargs -n 1 rm -f', 'run xargs -n 1 rm -f', 'opaque rm: rm -f …'],
    ],
  ])('%s (anthropics/claude-code#41559)', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  it('cd opens nothing for what follows it (anthropics/claude-code#28784)', () => {
    expect(read('cd d && python x.py')).toEqual(['run cd d', 'read d', 'run python x.py (in d)']);
  });

  it.each([';', '\n', '&&', '||', '|', '&', '|&'])(
    'a second command behind %j is seen (anthropics/claude-code#94314)',
    (operator) => {
      expect(commands(`git log ${operator} touch PWNED`)).toEqual(['run git log', 'run touch PWNED']);
    },
  );

  it.each([
    ['{ cat foo.txt; }', ['run cat foo.txt', 'read foo.txt']],
    ['eval -- cat a', ['run eval -- cat a', 'run cat a', 'read a']],
    ['cat <(ls d) foo.txt', ['run ls d', 'read d', 'opaque cat: cat <(ls d) foo.txt', 'read foo.txt']],
    ['echo x >> foo.txt', ['write foo.txt', 'run echo x']],
  ])('%s says what it opens, each time (anthropics/claude-code#70369)', (line, expected) => {
    for (let round = 0; round < 20; round++) expect(read(line)).toEqual(expected);
  });

  it.each([
    '$(rm x)',
    '`rm x`',
    '(rm x)',
    'eval "rm x"',
    "eval rm 'x'",
    "bash -c 'rm x'",
    "bash -ec 'rm x' a b",
    'sh -c "rm x"',
    'echo "$(rm x)"',
    `echo \${a:-$(rm x)}`,
    'a=$(rm x)',
    'if rm x; then :; fi',
    'while ! rm x; do :; done',
    'case a in a) rm x;; esac',
    'for i in $(rm x); do :; done',
    'f() { rm x; }',
    'cat <<E\n$(rm x)\nE',
    'cat <<< "$(rm x)"',
    '[[ -n $(rm x) ]]',
    '(( a[$(rm x)] ))',
    'trap "rm x" EXIT',
    'time rm x',
    'coproc rm x',
    '! rm x',
    'exec rm x',
    'command rm x',
    'sudo rm x',
    'env A=1 rm x',
    'timeout 5 rm x',
    'nohup nice -n 5 rm x',
    'env bash -c \'bash -c "rm x"\'',
    'a=(1 $(rm x))',
    'diff <(rm x) y',
    'ls > >(rm x)',
    "watch -n 1 'rm x'",
    "flock lock -c 'rm x'",
    'busybox rm x',
    '"r"m x',
    '\\rm x',
    "$'\\x72m' x",
    'cat <<E | rm x\nE',
  ])('the rm in %s is seen (anthropics/claude-code#39601)', (line) => {
    expect(commands(line).map((part) => part.replace(' (somewhere)', ''))).toContain('run rm x');
  });

  it.each([
    'powershell -Command "rm x"',
    'pwsh -c x',
    'cmd /c del x',
    '$cmd x',
    'eval "$x"',
    'bash script.sh',
    'bash',
    'echo x | sh',
    '. ./env',
    'source env',
    'ssh host rm x',
    "fish -c 'rm x'",
    '"$(cat x)" y',
    'sudo -i',
    'sudo $x rm',
    'env -S "rm x"',
    'git $x',
    'X=$(a) make',
    'a=1; a[$(b)]=2',
    `echo \${x@P}`,
    'echo $((a))',
    'if x; then rm y',
    "echo 'open",
    'parallel rm ::: a',
  ])('%s is opaque (anthropics/claude-code#39601, anomalyco/opencode#46398)', (line) => {
    expect(opaque(line)).not.toEqual([]);
  });

  it('a program that passes its words on is only what it is (anthropics/claude-code#92542)', () => {
    expect(read('mywrap git add -A')).toEqual(['run mywrap git add -A']);
  });

  it.each([
    ['echo x > OUT/f', 'write OUT/f'],
    ['x 2> OUT/f', 'write OUT/f'],
    ['x &>> OUT/f', 'write OUT/f'],
    ['x >| OUT/f', 'write OUT/f'],
    ['x | tee OUT/f', 'write OUT/f'],
    ['{ x; } > OUT/f', 'write OUT/f'],
    ['(x) >& OUT/f', 'write OUT/f'],
    ['a && b > OUT/f', 'write OUT/f'],
    ['x {v}> OUT/f', 'write OUT/f'],
    ['> OUT/f', 'write OUT/f'],
    ['while x; do y; done > OUT/f', 'write OUT/f'],
    ['f() { x; } > OUT/f; cd /w; x < OUT/f', 'read OUT/f (in /w)'],
    ['> OUT/f x y', 'write OUT/f'],
  ])('the target of the redirect in %s is an act (anomalyco/opencode#42979)', (line, expected) => {
    expect(read(line)).toContain(expected);
  });

  it('what a command looks at is an act beside the command (anomalyco/opencode#17497)', () => {
    expect(read('ls /elsewhere')).toEqual(['run ls /elsewhere', 'read /elsewhere']);
  });

  it.each([
    'cat',
    'head -1',
    'tail -n 3',
    'ls',
    'rg x',
    'grep -n x',
    'wc -l',
    'sort',
    'nl',
    'od -c',
    'file',
    'stat',
    "sed -n '1,20p'",
    "awk '{print $1}'",
    'jq .a',
    'md5sum',
    'less',
    'cp -t d',
    'diff a',
    'find',
    'cut -d: -f1',
    'curl -T',
    'dd if=/dev/null; cat',
  ])('%s OUT/f reads OUT/f like any other reader (anomalyco/opencode#44728)', (program) => {
    expect(read(`${program} OUT/f`).map((part) => part.replace(' and below', ''))).toContain('read OUT/f');
  });

  it.each([
    "cd src && cat a | sed 's/a/b/' | tee b",
    'git log --oneline -5',
    'npm test',
    "rg -n 'a b' src | head -20",
    'ls -la; pwd',
    'mkdir -p a/{b,c} && touch a/b/x',
    'LC_ALL=C sort x',
    'true',
    'a > /dev/null 2>&1',
    'for i in a b; do echo x; done',
    '[ -f a ] && cat a',
    '[[ -d a ]] || mkdir a',
    "python -c 'print(1)'",
    'set -euo pipefail; make',
    'timeout 5 npm test',
    'cat <<E\nplain\nE',
    'ls # and a remark',
    "cat > x <<'EOF'\n#!/bin/sh\necho $(x) `y`\nEOF",
    "find . -name '*.ts' -newer a",
    'git -C sub status',
    "awk '$3 > 5' f",
    'a=$(git rev-parse HEAD)',
    'export LANG=C',
    'command -v node',
    'cp a b',
    'tar tf x.tar',
  ])('nothing in %s has to be asked for its form (microsoft/vscode#252496)', (line) => {
    expect(opaque(line)).toEqual([]);
  });
});

describe('where a command runs', () => {
  it.each([
    ['cd a && cat x', ['read x (in a)']],
    ['cd a; cat x', ['read x (in a)', 'read x']],
    ['cd a && cd ../b && cat x', ['read x (in b)']],
    ['(cd a && cat x); cat y', ['read x (in a)', 'read y']],
    ['{ cd a && cat x; } && cat y', ['read x (in a)', 'read y (in a)']],
    ['cd a || cat x', ['read x']],
    ['cd a | cat x; cat y', ['read x', 'read y']],
    ['cd a & cat x', ['read x']],
    ['! cd a && cat x', ['read x']],
    ['if cd a; then cat x; else cat y; fi', ['read x (in a)', 'read y']],
    ['if z; then cd a; else cd a; fi; cat x', ['read x (in a)', 'read x']],
    ['cd /w/a && cat x', ['read x (in /w/a)']],
    ['cd a && echo $(cat x)', ['read x (in a)']],
    ['cd a && z > x', ['write x (in a)']],
    ['pushd a && cat x', ['read x (in a)']],
    ["eval 'cd a' && cat x", ['read x (in a)']],
    ["bash -c 'cd a' && cat x", ['read x']],
    ['env -C a cat x', ['read x (in a)']],
    ['sudo -D /r cat x', ['read x (in /r)']],
    ['builtin cd a && cat x', ['read x (in a)']],
    ['f() { cd a; }; cat x', ['read x']],
  ])('%s', (line, expected) => {
    expect(read(line).filter((part) => / [xy]( |$)/.test(part) && /^(?:read|write)/.test(part))).toEqual(expected);
  });

  it.each([
    'cd -',
    'cd',
    'cd $d',
    'cd ~',
    'popd',
    'cd -P a',
    'for i in 1 2; do cd ..; done',
    'f() { cd a; }; f',
    '. x',
    'eval "$x"',
    '$x',
    'shopt -s y',
    'CDPATH=/; cd a',
    'cd a; cd b; cd c',
  ])('after %s nobody can tell, so a path is opaque', (line) => {
    expect(read(`${line}\ncat y`).slice(-2)).toEqual(['run cat y (somewhere)', 'opaque ?: y (somewhere)']);
  });

  it('a program that is named by a path is looked for in each place where it may run', () => {
    expect(commands('cd a; ./x')).toEqual(['run cd a', 'run ./x (in a)', 'run ./x']);
  });
});

describe('words that are not literal', () => {
  it.each([
    ['rm -rf $x', ['opaque rm: rm -rf $x']],
    ['cat src/*.c', ['opaque cat: cat src/*.c', 'read src/']],
    ['cat ~/x', ['opaque cat: cat ~/x', 'read ~/x']],
    ["cat '~/x'", ['run cat ~/x', 'read ./~/x']],
    ['FOO=1 rm x', ['opaque rm: rm x', 'write x']],
    ['PATH=/tmp', ['opaque ?: PATH=/tmp (somewhere)'.replace(' (somewhere)', '')]],
    ["'rm' $x", ['opaque rm: rm $x']],
    ['f() { :; }; f x', ['run : (somewhere)', 'opaque f: f x']],
    ['echo x > $f', ['opaque ?: > $f', 'run echo x']],
    ['x > /dev/tcp/h/80', ['dial h:80', 'opaque ?: > /dev/tcp/h/80', 'run x']],
  ])('%s keeps what is known', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });
});

describe('lines that are not what they seem', () => {
  it.each([
    ['here-document with a mark in pieces: cat <<E"F"\nE\nrm x\nEF', 'E'],
    ['cat <<A <<B\nA\nrm x\nB\nrm y', 'rm y'],
    ['echo $(cat <<E)\nrm x\nE', 'rm x'],
    ['cat <<E \\\nrm x\nE\nrm y', 'rm y'],
    ['cat <<E\na\\\nE\nrm x\nE', 'rm x'],
    ['a\\\nb c', 'ab'],
    ['then rm x', 'rm'],
    ['rm\rx', ''],
    ['a\0b', ''],
    ['\ud800', ''],
  ])('%j is hidden as a whole', (line) => {
    expect(reader.readLine(line).some((part) => part.kind === 'opaque' && part.program === null)).toBe(true);
  });

  it('an empty line is one opaque part', () => {
    expect(['', ' \n', '# only a remark'].map((line) => reader.readLine(line))).toEqual(
      ['', ' \n', '# only a remark'].map((text) => [
        { kind: 'opaque', text, program: null, reason: 'it holds no command', directory: '.' },
      ]),
    );
  });

  it('arguments that no shell sees have no quotes, no builtins and no patterns', () => {
    expect(reader.readArgv(['cat', '*.c', '$x', '~/y']).map(show)).toEqual([
      'run cat *.c $x ~/y',
      'read *.c',
      'read $x',
      'read ./~/y',
    ]);
    expect(reader.readArgv(['bash', '-c', 'rm x']).map(show)).toEqual(['run bash -c "rm x"', 'run rm x', 'write x']);
  });
});

describe('any text', () => {
  it('is read into at least one part', () => {
    const shellText = fc.array(
      fc.constantFrom(
        ...' \n;&|<>(){}$`"\'\\#=!*?[]~-abE01',
        '$(',
        '<<E',
        '\nE\n',
        'if ',
        'do ',
        'case ',
        ' in ',
        '[[',
        '((',
        '${',
      ),
      { maxLength: 40 },
    );
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      shellText.map((signs) => signs.join('')),
    );
    fc.assert(
      fc.property(anyText, (line) => reader.readLine(line).length > 0),
      { numRuns: 500 },
    );
  });

  it.each([
    ['parentheses', '('.repeat(20_000)],
    ['substitutions', '$(ls '.repeat(10_000)],
    ['commands', 'a;'.repeat(2000)],
    ['words', `ls ${'a '.repeat(10_000)}`],
    ['wrappers', `${'sudo '.repeat(5000)}ls`],
    ['here-documents', 'cat <<E\n'.repeat(5000)],
    ['loops', `${'while a; do cd x; '.repeat(120)}b; ${'done; '.repeat(120)}`],
    ['texts for a shell', `${'eval '.repeat(500)}ls`],
    ['signs', '<<<'.repeat(20_000)],
    ['too long a line', 'a '.repeat(40_000)],
  ])('%s without end are read in bounded time, and hidden', (_what, line) => {
    const start = performance.now();
    const parts = reader.readLine(line);
    expect([parts.length <= 501, performance.now() - start < 8000]).toEqual([true, true]);
    expect(parts.some((part) => part.kind === 'opaque' && part.program === null) || parts.length < 3).toBe(true);
  });
});
