// Lines that were thought up to get at a denied file or program, run by the real bash beside what the guard says of them. Each
// has to work where nobody holds it back, so that a line which has lost its sting is noticed; and the guard has to hold it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permissivePolicy } from '../../src/engine/policy/permissive-policy.ts';
import type { Policy, Rule } from '../../src/engine/policy/policy.ts';
import type { Effect } from '../../src/shared/act.ts';
import { strictness } from '../../src/shared/act.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../support/guarded-workspace.ts';

const rules: readonly Rule[] = [
  { act: 'exec', effect: 'deny', pattern: 'id' },
  { act: 'read', effect: 'deny', pattern: 'private/*' },
  { act: 'write', effect: 'deny', pattern: 'private/*' },
];
/** Everything else is allowed. */
const policy: Policy = {
  ...permissivePolicy,
  layers: [...permissivePolicy.layers, { name: 'app', origin: 'app', remedy: 'nothing', rules }],
};
const marker = 'MARKER';

describe('what bash does to a denied file or with a denied program', () => {
  it.each([
    ['links and steps back', ['cat lnk/p.txt', 'cat d/../.env', 'cd d; cd ..; cat .env', 'cat /proc/self/cwd/.env']],
    [
      'substitutions',
      ['echo $(<.env)', 'cat <<< "$(< .env)"', `echo \${x:-$(id)}`, 'cat <(id)', `coproc id; cat <&\${COPROC[0]}`],
    ],
    ['descriptors', ['exec 3<.env; cat <&3', 'exec {fd}<private/p.txt; cat <&$fd', 'echo x 3>private/y >&3']],
    ['patterns', ['cat .e*', 'cat p*/p.txt', 'cat .en[v]', 'grep "" .e?v', 'cat lnk/*']],
    [
      'words of a shell',
      ['eval -- id', 'command -p id', 'exec -a x id', 'trap id EXIT', 'f() { id; }; f', 'builtin eval id'],
    ],
    [
      'programs that start others',
      [
        'env -C d cat ../.env',
        'timeout -sKILL 9 id',
        'nice -5 id',
        'find d -exec id \\;',
        'flock a -c id',
        'setarch -R id',
      ],
    ],
    [
      'options with a value',
      [
        'grep -drecurse MARKER .',
        'grep --directories=recurse MARKER .',
        'sort --outp=private/x a',
        'head --lin=1 .env',
      ],
    ],
    ['programs that show files', ['pr -t .env', 'shuf .env', 'date -f .env', 'tac .env', 'dd if=.env', 'nl -ba .env']],
    ['archives', ['tar -cf - --add-file=.env', 'tar --index-file=private/x -cvf /dev/null a', 'tar c .env']],
    [
      'git',
      [
        'git init -q . ; git grep --no-index MARKER',
        'git -C private diff --no-index /dev/null p.txt',
        'git init -q . ; git add -A; git show :private/p.txt',
        'git init -q . ; git add -A; cd d; git show :private/p.txt',
        'git init -q . ; git clean -fdxq',
        'git init -q private',
      ],
    ],
  ])('is denied: %s', async (_kind, lines) => {
    expect(await attack(lines)).toEqual(lines.map((line) => ({ line, works: true, effect: 'deny' })));
  });

  it.each([
    [
      'what is known only when it runs',
      ['cat "$PWD/.env"', 'x=id; $x', 'echo .env | xargs cat', 'echo id | bash', "env -S 'cat .env'"],
    ],
    [
      'languages',
      ['awk \'BEGIN { system("id") }\'', "sed 'r .env' a", "sed '1e id' a", "x='a[$(id >&2)]'; echo $((x))"],
    ],
    ['programs that start others', ['choom -n 1 -- id', 'choom -n 1 id']],
    [
      'git',
      [
        "git init -q . ; git add -A; git diff --cached -- ':(top)private'",
        "git init -q . ; git add -A; git diff --cached 'priv*'",
      ],
    ],
  ])('is asked about: %s', async (_kind, lines) => {
    expect(await attack(lines)).toEqual(lines.map((line) => ({ line, works: true, effect: 'ask' })));
  });
});

describe('everyday lines beside a secret', () => {
  it.each([
    ...[
      'npm test',
      'npm test 2>&1 | tail -20',
      'git status',
      'git diff HEAD~1',
      'git show HEAD:d/f',
      'git add . && git commit -m x',
    ],
    ...[
      'cargo build --release',
      'ls -la d | head',
      'grep -rn x d',
      'cat a b > c',
      'mkdir -p x/y',
      "node -e 'x'",
      'cp a b',
      'mv a b',
    ],
    ...[
      'python3 -m pytest -k a',
      'git checkout -b x',
      '[ -f a ] && wc -l a',
      'set -e; npm test',
      "sed -i 's/a/b/' a",
      'rm -rf d',
    ],
  ])('are allowed: %s', async (line) => {
    await using workspace = await openWorkspace();
    expect(await judge(workspace, line)).toBe('allow');
  });
});

async function attack(lines: readonly string[]) {
  const results: { line: string; works: boolean; effect: Effect }[] = [];
  for (const line of lines) {
    await using workspace = await openWorkspace();
    const effect = await judge(workspace, line);
    results.push({ line, works: run(workspace, line), effect });
  }
  return results;
}

async function openWorkspace(): Promise<GuardedWorkspace> {
  const workspace = await openGuardedWorkspace(policy);
  const files = { '.env': marker, 'private/p.txt': marker, a: 'a\n', b: 'b\n', 'd/f': 'f\n' };
  for (const [path, content] of Object.entries(files)) workspace.write(path, `${content}\n`);
  symlinkSync('private', join(workspace.path, 'lnk'));
  return workspace;
}

async function judge(workspace: GuardedWorkspace, line: string): Promise<Effect> {
  const effects = (await workspace.judge({ kind: 'exec', line })).map(({ verdict }) => verdict.effect);
  return effects.reduce((one, other) => (strictness[other] > strictness[one] ? other : one));
}

/** Whether it shows the marker, runs the program, or changes what lies in the denied places. */
function run({ path, outside }: GuardedWorkspace, line: string): boolean {
  const environment = {
    PATH: process.env.PATH,
    HOME: outside,
    TMPDIR: outside,
    LC_ALL: 'C.UTF-8',
    GIT_PAGER: 'cat',
  };
  const child = spawnSync('bash', ['--noprofile', '--norc', '-c', line], {
    cwd: path,
    env: environment,
    input: '',
    encoding: 'utf8',
    timeout: 10_000,
  });
  const output = child.stdout + child.stderr;
  rmSync(join(path, '.git'), { recursive: true, force: true });
  const isChanged =
    !existsSync(join(path, '.env')) ||
    !existsSync(join(path, 'private')) ||
    readdirSync(join(path, 'private')).length !== 1;
  return (
    output.includes(marker) ||
    output.includes('uid=') ||
    isChanged ||
    readFileSync(join(path, '.env'), 'utf8') !== `${marker}\n`
  );
}
