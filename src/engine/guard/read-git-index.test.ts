import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitRepository, openGitRepository } from '../../../test/support/git-repository.ts';
import { openWorkspaceRoot } from './open-workspace-root.ts';
import { readGitIndex, type TrackedFiles } from './read-git-index.ts';

async function read(repository: GitRepository, directory = '.', workspace = repository.path): Promise<TrackedFiles> {
  const root = openWorkspaceRoot(workspace, null);
  try {
    return await readGitIndex(root, directory);
  } finally {
    root.close();
  }
}

const found = (top: string, paths: readonly string[], start = top) =>
  expect.objectContaining({ kind: 'files', top, start, paths });

describe('the files that git keeps', () => {
  it('are those of the nearest repository above', async () => {
    await using repository = await openGitRepository({ files: { 'd/b.txt': '' } });
    repository.git('init', '--quiet', 'd/inner');
    repository.write('d/inner/c.txt', '');
    repository.git('-C', 'd/inner', 'add', '.');
    mkdirSync(join(repository.path, 'd/inner/e'));
    const inWorkspace = await read(repository, 'd/none/yet');
    expect([
      inWorkspace,
      await read(repository, 'd/inner/e'),
      await read(repository, join(repository.path, 'd')),
    ]).toEqual([
      found('.', ['a.txt', 'd/b.txt'], 'd/none/yet'),
      found('d/inner', ['c.txt'], 'd/inner/e'),
      found('.', ['a.txt', 'd/b.txt'], 'd'),
    ]);
  });

  it('are those of the outer one where a directory only looks like a repository', async () => {
    await using repository = await openGitRepository();
    repository.write('d/.git/index', 'DIRC');
    repository.write('e/.git/HEAD', 'ref: refs/heads/main\n');
    expect([await read(repository, 'd'), await read(repository, 'e')]).toEqual([
      found('.', ['a.txt'], 'd'),
      found('.', ['a.txt'], 'e'),
    ]);
  });

  it('are those of another worktree, and of a repository in the repository', async () => {
    await using repository = await openGitRepository();
    repository.git('worktree', 'add', '--quiet', 'tree');
    repository.write('tree/b.txt', '');
    repository.git('-C', 'tree', 'add', '.');
    mkdirSync(join(repository.path, '.git/modules'));
    repository.git('init', '--quiet', 'sub', '--separate-git-dir=.git/modules/sub');
    repository.git('-C', 'sub', 'config', 'core.worktree', '../../../sub');
    expect([await read(repository, 'tree'), await read(repository, 'sub')]).toEqual([
      found('tree', ['a.txt', 'b.txt']),
      found('sub', []),
    ]);
  });

  it('cannot be told where the repository lies outside, or has its files elsewhere', async () => {
    await using repository = await openGitRepository({ files: { 'd/b.txt': '' } });
    const elsewhere = 'its repository lies outside the workspace';
    repository.write('e/.git', `gitdir: ${repository.outside}\n`);
    mkdirSync(join(repository.path, 'f'));
    symlinkSync(repository.outside, join(repository.path, 'f/.git'));
    const unknown = [
      await read(repository, '.', join(repository.path, 'd')),
      await read(repository, 'e'),
      await read(repository, 'f'),
      await read(repository, repository.outside),
    ];
    repository.git('config', 'core.worktree', 'd');
    unknown.push(await read(repository));
    expect(unknown).toEqual([
      { kind: 'unknown', reason: elsewhere },
      { kind: 'unknown', reason: elsewhere },
      { kind: 'unknown', reason: elsewhere },
      { kind: 'unknown', reason: 'it runs outside the workspace' },
      { kind: 'unknown', reason: 'its repository names another directory for its files' },
    ]);
  });

  it('are none without a repository, and before anything is staged', async () => {
    await using repository = await openGitRepository();
    repository.git('init', '--quiet', '../outside');
    expect(await read(repository, '.', repository.outside)).toEqual(found('.', []));
    expect(await read(repository, '.', repository.home)).toEqual({ kind: 'none' });
  });
});
