import { describe, expect, it } from 'vitest';
import { openGitRepository } from '../../../../test/support/git-repository.ts';

const hiddenText = 'never-to-be-shown';
const secrets = { '.env': `KEY=${hiddenText}\n`, 'deep/server.pem': `${hiddenText}\n` };

describe('git_status', () => {
  it('shows the branch and what differs, staged or not', async () => {
    await using repository = await openGitRepository({ files: { 'b.txt': 'b\n' } });
    repository.write('a.txt', 'two\n');
    repository.write('new file.txt', '');
    repository.git('mv', 'b.txt', 'c.txt');
    expect(await repository.call('git_status', {})).toEqual({
      status: 'ok',
      text: '## main\n M a.txt\nR  b.txt -> c.txt\n?? new file.txt',
    });
  });

  it('names no file that may not be read, although git keeps it', async () => {
    await using repository = await openGitRepository({ files: secrets });
    repository.write('.env', 'KEY=other\n');
    repository.git('rm', '--quiet', '--cached', 'deep/server.pem');
    expect(await repository.call('git_status', {})).toEqual({ status: 'ok', text: '## main\nNothing differs.' });
  });

  it('changes nothing, not even what git remembers of the files it has looked at', async () => {
    await using repository = await openGitRepository();
    repository.write('a.txt', 'one\n');
    const before = repository.read('.git/index');
    await repository.call('git_status', {});
    expect(repository.read('.git/index')).toEqual(before);
  });

  it('says why where the workspace is no repository', async () => {
    await using repository = await openGitRepository();
    repository.git('config', '--local', 'extensions.worktreeConfig', 'true');
    repository.write('.git/HEAD', 'nothing');
    expect(await repository.call('git_status', {})).toEqual({
      status: 'failed',
      text: expect.stringMatching(
        /not a git repository.*A repository counts only when its \.git lies in the workspace/s,
      ),
    });
  });
});

describe('git_diff', () => {
  it('shows what is not staged, what is, and only what was asked for', async () => {
    await using repository = await openGitRepository({ files: { 'b.txt': 'b\n', 'd/c.txt': 'c\n' } });
    for (const path of ['a.txt', 'b.txt', 'd/c.txt']) repository.write(path, 'two\n');
    repository.git('add', 'b.txt');
    const files = async (args: object) => {
      const { text } = await repository.call('git_diff', args);
      return [...text.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path);
    };
    expect([await files({}), await files({ staged: true }), await files({ paths: ['d'] })]).toEqual([
      ['a.txt', 'd/c.txt'],
      ['b.txt'],
      ['d/c.txt'],
    ]);
    expect(await repository.call('git_diff', { paths: ['b.txt'] })).toEqual({ status: 'ok', text: 'Nothing differs.' });
  });

  it.each([
    ['changed', (git: Git) => git.write('.env', 'KEY=other\n'), {}],
    ['deleted', (git: Git) => git.git('rm', '--quiet', '--cached', '.env', 'deep/server.pem'), { staged: true }],
    ['under the directory that was named', (git: Git) => git.write('deep/server.pem', 'x'), { paths: ['deep'] }],
    ['looking deleted to a command', () => undefined, {}],
  ])('shows nothing of a file that may not be read, as it is or as it was: %s', async (_title, change, args) => {
    await using repository = await openGitRepository({ files: secrets });
    change(repository);
    expect(await repository.call('git_diff', args)).toEqual({ status: 'ok', text: 'Nothing differs.' });
  });

  it('is denied where such a file is named', async () => {
    await using repository = await openGitRepository({ files: secrets });
    expect(await repository.call('git_diff', { paths: ['.env'] })).toMatchObject({ status: 'denied' });
  });
});

type Git = Awaited<ReturnType<typeof openGitRepository>>;

describe('git_log', () => {
  it('shows the last commits without what is in them', async () => {
    await using repository = await openGitRepository({ files: secrets });
    repository.git('commit', '--quiet', '--allow-empty', '--message', 'Second');
    const subjects = async (args: object) => {
      const { text } = await repository.call('git_log', args);
      return [...text.matchAll(/^ {4}(.*)$/gm)].map(([, subject]) => subject);
    };
    expect([await subjects({}), await subjects({ count: 1 }), await subjects({ path: 'a.txt' })]).toEqual([
      ['Second', 'First'],
      ['Second'],
      ['First'],
    ]);
    expect((await repository.call('git_log', {})).text).not.toContain(hiddenText);
  });
});

describe('git_add', () => {
  it('stages just the file of that name, whatever git would take it for', async () => {
    await using repository = await openGitRepository({
      files: { 'app/[id].ts': 'x\n', 'app/i.ts': 'x\n', ':/a.txt': 'x\n' },
    });
    for (const path of ['app/[id].ts', 'app/i.ts', 'a.txt', ':/a.txt']) repository.write(path, 'changed\n');
    await repository.call('git_add', { paths: ['app/[id].ts', ':/a.txt'] });
    expect(repository.git('diff', '--cached', '--name-only')).toBe(':/a.txt\napp/[id].ts\n');
  });

  it('leaves a file alone that may not be read, which is not there for git', async () => {
    await using repository = await openGitRepository({ files: secrets });
    repository.write('a.txt', 'two\n');
    repository.write('.env.local', 'KEY=new\n');
    expect(await repository.call('git_add', { paths: ['.'] })).toEqual({
      status: 'ok',
      text: "Staged 1 file:\nadd 'a.txt'",
    });
    expect(repository.git('status', '--short')).toBe('M  a.txt\n?? .env.local\n');
    expect(await repository.call('git_add', { paths: ['.env'] })).toMatchObject({ status: 'denied' });
  });
});

describe('git_commit', () => {
  it.each(['--amend', '-F.env', 'Second\n\n# Kept, as it is no comment'])(
    'takes every message for one: %j',
    async (message) => {
      await using repository = await openGitRepository({ files: secrets });
      repository.write('a.txt', 'two\n');
      repository.git('add', 'a.txt');
      expect(await repository.call('git_commit', { message })).toMatchObject({ status: 'ok' });
      expect(repository.git('log', '-1', '--format=%B%an %ae').trim()).toBe(`${message}\nAda ada@example.org`);
      expect([repository.git('rev-list', '--count', 'HEAD'), repository.git('status', '--short')]).toEqual(['2\n', '']);
    },
  );

  it('commits the named files as they are and leaves out what may not be read', async () => {
    await using repository = await openGitRepository({ files: { ...secrets, 'b.txt': 'b\n' } });
    for (const path of ['a.txt', 'b.txt', 'deep/new.txt']) repository.write(path, 'two\n');
    repository.git('add', 'b.txt', 'deep/new.txt');
    await repository.call('git_commit', { message: 'Second', paths: ['a.txt', 'deep'] });
    expect(repository.git('show', '--name-only', '--format=')).toBe('a.txt\ndeep/new.txt\n');
    expect(repository.git('status', '--short')).toBe('M  b.txt\n');
  });

  it('says so when there is nothing to commit, and names no file', async () => {
    await using repository = await openGitRepository({ files: secrets });
    expect(await repository.call('git_commit', { message: 'Second' })).toEqual({
      status: 'failed',
      text: 'git failed (exit code 1): There is nothing to commit. Stage files with git_add, or name paths.',
    });
  });
});

describe('git_branch', () => {
  it('creates a branch, switches to it and lists them', async () => {
    await using repository = await openGitRepository({ files: secrets });
    await repository.call('git_branch', { action: 'create', name: 'fix/login' });
    await repository.call('git_branch', { action: 'switch', name: 'fix/login' });
    const { text } = await repository.call('git_branch', { action: 'list' });
    expect(text.replace(/[0-9a-f]{7,} /g, '')).toBe('* fix/login First\n  main      First');
    expect(repository.git('status', '--short')).toBe('');
  });
});

describe('git_worktree', () => {
  it('makes none where a command works in a copy, in which git would look for it later', async () => {
    await using repository = await openGitRepository();
    expect(await repository.call('git_worktree', { action: 'add', path: 'wt' })).toEqual({
      status: 'failed',
      text: expect.stringContaining('No worktree was added'),
    });
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(2);
  });
});

describe('the arguments of the tools of git', () => {
  it.each([
    ['git_add', { paths: ['--all'] }],
    ['git_add', { paths: [] }],
    ['git_diff', { paths: ['-O/etc/passwd'] }],
    ['git_log', { path: '--output=x' }],
    ['git_log', { count: 0 }],
    ['git_commit', { message: ' \n ' }],
    ['git_branch', { action: 'create' }],
    ['git_branch', { action: 'list', name: 'x' }],
    ['git_branch', { action: 'switch', name: '-' }],
    ['git_branch', { action: 'switch', name: '--orphan' }],
    ['git_branch', { action: 'switch', name: '@{-1}' }],
    ['git_worktree', { action: 'add', path: '--force' }],
    ['git_worktree', { action: 'add', path: 'wt', branch: '-b' }],
    ['git_worktree', { action: 'remove' }],
  ])('are refused where they could be an option or are none: %s %j', async (tool, args) => {
    await using repository = await openGitRepository();
    expect(await repository.call(tool, args)).toMatchObject({ status: 'unusable' });
  });
});
