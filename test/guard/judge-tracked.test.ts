import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInLayers } from '../../src/engine/policy/built-in-layers.ts';
import type { Policy, Rule } from '../../src/engine/policy/policy.ts';
import { type GitRepository, type GitRepositoryOptions, openGitRepository } from '../support/git-repository.ts';

const policyOf = (...rules: Rule[]): Policy => ({
  layers: [...builtInLayers, { name: 'own', origin: 'user', remedy: 'change it', rules }],
  defaults: { read: 'allow', write: 'allow', exec: 'allow', net: 'allow' },
});
const policy = policyOf();
const open = (options: GitRepositoryOptions = {}) => openGitRepository({ policy, ...options });
const openWithSecret = () => open({ files: { '.env': 'KEY=1\n', 'src/a.ts': '', 'deep/server.pem': '' } });

/** What is not simply allowed, in short. */
async function judge(repository: GitRepository, line: string): Promise<readonly string[]> {
  const judged = await repository.judge({ kind: 'exec', line });
  return judged
    .filter(({ verdict }) => verdict.effect !== 'allow')
    .map(({ act, verdict }) => `${verdict.effect} ${act.kind} ${act.target}`);
}

const showing = [
  'git diff',
  'git diff HEAD',
  'git diff main -- .',
  'git diff --cached --check',
  'git diff --stat -p',
  'git show',
  'git show --stat HEAD',
  'git log -p',
  'git log -u -3',
  'git log -U9',
  'git log --patch-with-stat',
  'git log -SKEY',
  'git log -GKEY',
  'git log -L1,1:.env',
  'git log --cc',
  'git whatchanged -p',
  'git diff-index -p HEAD',
  'git grep KEY',
  'git grep -n KEY HEAD',
  'git cat-file -p HEAD',
  'git cat-file blob 1234abcd',
  'git archive HEAD',
  'git format-patch --stdout HEAD',
  'git range-diff a b c',
  'git fast-export HEAD',
  'git status -v',
  'git commit --dry-run -v',
  'git stash show -p',
  'git stash list -p',
  'git log -p --decorate-refs -- main',
  'git grep -C -- KEY',
  'git grep -- KEY',
];
const staging = [
  'git add -A',
  'git add --all',
  'git add -u',
  'git add .',
  'git add ./',
  'git add *',
  'git add -p',
  'git commit -am x',
  'git commit -a -m x',
  'git commit --all -m x',
  'git commit -m x .',
  'git commit -m x -- deep',
  'git commit --pathspec-from-file=src/a.ts -m x',
  'git rm -r --cached .',
  'git mv deep src',
];
const restoring = [
  'git stash',
  'git stash push -m x',
  'git stash push -- deep',
  'git stash pop',
  'git stash apply',
  'git stash branch x',
  'git checkout main',
  'git checkout .',
  'git checkout -- deep',
  'git checkout -b x HEAD~1',
  'git switch main',
  'git restore .',
  'git restore -s HEAD -p',
  'git reset --hard',
  'git reset -p',
  'git merge x',
  'git rebase main',
  'git cherry-pick x',
  'git revert HEAD',
  'git pull https://example.org/x',
  'git bisect start',
];
const elsewhere = [
  'git -C src diff',
  'git -C src/.. grep KEY',
  'cd src && git diff',
  'cd src; git add -A',
  'git -C . -C src stash',
];

const harmless = [
  'git status',
  'git diff --stat',
  'git diff --name-only HEAD',
  'git log',
  'git log --oneline -5',
  'git log -n 3 --stat --author=ada',
  'git log --since yesterday -- src',
  'git show HEAD:src/a.ts',
  'git cat-file -p HEAD:src/a.ts',
  'git cat-file -t HEAD',
  'git blame src/a.ts',
  'git branch x',
  'git checkout -b x',
  'git switch -c x',
  'git reset',
  'git reset --soft HEAD~1',
  'git stash list',
  'git stash drop',
  'git add src',
  'git add src/a.ts a.txt',
  'git commit -m x',
  'git commit --amend --no-edit',
  'git commit -m . --author deep',
  'git commit -m x src',
  'git diff -- src',
  'git diff HEAD -- src a.txt',
  'git diff --cached -- src',
  'git log -p -- src',
  'git grep KEY -- src',
  'git grep -n -e KEY -- src',
  'git restore src',
  'git checkout -- src/a.ts',
  'git stash push -- src',
  'git rm src/a.ts',
  'git mv src/a.ts b.ts',
  'git -C src diff -- .',
  'cd src && git add .',
  "git diff -- . ':!.env' ':(exclude)deep'",
  "git -C src diff -- ':!../deep' ':!/.env'",
  "git add -A -- ':!.env' ':!deep/server.pem'",
  'git ls-files',
];

describe('a command of git', () => {
  it.each([...showing, ...staging, ...restoring, ...elsewhere])(
    'is denied where it would show, stage or put back what may not be read: %s',
    async (line) => {
      await using repository = await openWithSecret();
      expect(
        (await judge(repository, line)).filter((text) => /^deny read (?:.env|deep\/server.pem)$/.test(text)),
      ).toHaveLength(1);
    },
  );

  it('says which file stands in the way, and what leaves it out', async () => {
    await using repository = await openWithSecret();
    expect((await repository.judge({ kind: 'exec', line: 'git add -A' })).map(({ verdict }) => verdict)).toMatchObject([
      { effect: 'allow' },
      {
        effect: 'deny',
        layer: 'secrets',
        because: expect.stringMatching(/^read of "\.env" is denied by .* take it for deleted$/),
        wouldChange: expect.stringContaining('git_diff, git_log, git_add and git_commit leave it out'),
      },
    ]);
  });

  it.each(['git add src/*.ts', "git diff -- ':/src'"])(
    'is asked about and not denied for what lies elsewhere: %s',
    async (line) => {
      await using repository = await openWithSecret();
      expect(await judge(repository, line)).toEqual([expect.stringMatching(/^ask exec git /)]);
    },
  );

  it.each(harmless)('is judged as a command alone where it is about no such file: %s', async (line) => {
    await using repository = await openWithSecret();
    rmSync(join(repository.path, 'deep'), { recursive: true });
    expect(await judge(repository, line)).toEqual([]);
  });

  it.each([
    'git diff',
    'git add -A',
    'git add .',
    'git commit -am x',
    'git stash',
    'git diff -- .',
    'git grep KEY',
    'git show',
  ])('is not denied for a file beside it that git does not keep: %s', async (line) => {
    await using repository = await open();
    repository.write('.env', 'KEY=1\n');
    expect(await judge(repository, line)).toEqual([]);
  });

  it('is denied also where the file is gone, and no more once git has dropped it', async () => {
    await using repository = await openWithSecret();
    repository.git('rm', '--quiet', '.env', 'deep/server.pem');
    repository.git('reset', '--quiet');
    const gone = await judge(repository, 'git diff');
    repository.git('rm', '--quiet', '--cached', '.env', 'deep/server.pem');
    expect([gone, await judge(repository, 'git diff')]).toEqual([['deny read .env'], []]);
  });

  it('is asked about where nobody can tell what git keeps', async () => {
    await using repository = await open({ files: { 'd/b.txt': '' } });
    repository.write('away/.git', `gitdir: ${repository.outside}\n`);
    const lines = ['git -C away diff', 'git --git-dir=x diff', 'git --work-tree x diff', 'cd $X; git diff'];
    const judged = await Promise.all(lines.map((line) => judge(repository, line)));
    repository.git('update-index', '--split-index');
    expect([...judged, await judge(repository, 'git diff')]).toEqual([
      ['ask exec git -C away diff'],
      ['ask exec git --git-dir=x diff'],
      ['ask exec git --work-tree x diff'],
      ['ask exec cd $X', 'ask exec git diff'],
      ['ask exec git diff'],
    ]);
  });

  it('stays what nobody can see through where the name is none of git', async () => {
    await using repository = await openWithSecret();
    expect(await judge(repository, 'git ci -a')).toEqual(['ask exec git ci -a']);
  });

  it('takes no exception where an option makes a plain name of it', async () => {
    await using repository = await openWithSecret();
    const line = "git --literal-pathspecs diff -- . ':!.env' ':!deep'";
    expect(await judge(repository, line)).toEqual(['deny read .env']);
  });

  it('is asked about where a rule asks for what git keeps, by name', async () => {
    const asking = policyOf({ act: 'read', effect: 'ask', pattern: 'plans/*' });
    await using repository = await open({ policy: asking, files: { 'plans/a': '', 'src/a': '' } });
    expect([await judge(repository, 'git diff'), await judge(repository, 'git diff -- src')]).toEqual([
      ['ask read plans/a'],
      [],
    ]);
  });

  it('is judged as before where there is no repository, and in one that is just made', async () => {
    await using repository = await open();
    rmSync(join(repository.path, '.git'), { recursive: true });
    repository.write('.env', 'KEY=1\n');
    mkdirSync(join(repository.path, 'new'));
    expect(await judge(repository, 'cd new && git init && git add -A && git commit -m x')).toEqual([
      expect.stringContaining('ask write new/.git/HEAD'),
    ]);
  });

  it('of a tool leaves out by itself what may not be read', async () => {
    await using repository = await openWithSecret();
    const judged = await repository.judge({ kind: 'exec', argv: ['git', 'diff'], leavesOutUnreadable: true });
    expect(judged.map(({ verdict }) => verdict.effect)).toEqual(['allow']);
  });
});
