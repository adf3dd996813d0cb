// A guarded workspace that is a repository with one commit, made by the real git.
import { spawnSync } from 'node:child_process';
import type { Policy } from '../../src/engine/policy/policy.ts';
import { type GuardedWorkspace, type GuardedWorkspaceOptions, openGuardedWorkspace } from './guarded-workspace.ts';

export interface GitRepository extends GuardedWorkspace {
  /** What git on this machine prints, outside of every sandbox. Throws when it fails. */
  git(...words: string[]): string;
}

export interface GitRepositoryOptions extends GuardedWorkspaceOptions {
  readonly policy?: Policy;
  /** What is committed, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export async function openGitRepository({
  policy,
  files = {},
  ...options
}: GitRepositoryOptions = {}): Promise<GitRepository> {
  const workspace = await openGuardedWorkspace(policy, options);
  const git = (...words: string[]): string => runGit(workspace.path, words);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  for (const [path, content] of Object.entries({ 'a.txt': 'one\n', ...files })) workspace.write(path, content);
  git('add', '--force', '.');
  git('commit', '--quiet', '--message', 'First');
  return { ...workspace, git };
}

function runGit(directory: string, words: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const child = spawnSync('git', ['-c', 'safe.directory=*', ...words], { cwd: directory, env, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`git ${words.join(' ')} failed: ${child.stderr}`);
  return child.stdout;
}
