// A further worktree of the original's repository, for a copy that lies outside the workspace. Git makes it in the sandbox, at
// a place inside; what it then says of where the worktree lies is put right before anything of it is made. The index goes
// along, so that what was staged is staged there too.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import type { Guard } from '../../guard/guard.ts';
import type { Stance } from '../../policy/policy.ts';
import type { SandboxResult, WorkspaceChange } from '../../sandbox/sandbox.ts';

export interface WorktreeOptions {
  /** Of the original's workspace. */
  readonly guard: Guard;
  readonly stance: Stance;
  readonly branch: string;
  /** Where the worktree will lie. */
  readonly directory: string;
}

/** Made in the repository, and undone where the fork comes to nothing. */
export interface MadeWorktree {
  /** What the file `.git` of the worktree says. */
  readonly link: string;
  undo(): Promise<void>;
}

/** Throws `workspace-unusable` where git cannot make it, with nothing changed. */
export async function makeWorktree(options: WorktreeOptions): Promise<MadeWorktree> {
  const { guard, stance, directory } = options;
  const name = `${basename(directory)}-${randomBytes(4).toString('hex')}`;
  const inside = await askForWorktree(options, name);
  const admin = findAdmin(inside);
  const changes = [
    ...inside.map((change) => withDirectory(change, admin, directory)),
    ...(await readIndex(guard, admin)),
  ];
  const made: WorkspaceChange[] = [];
  const undo = async (): Promise<void> => {
    for (const { path, before, after } of made.toReversed()) {
      await guard.change({ path, before: after, after: before }, { permitted: 'ask' }, stance);
    }
  };
  for (const change of changes) {
    const end = await guard.change(change, { permitted: 'ask' }, stance);
    if (end.kind !== 'made') {
      await undo();
      throw notMade(`${change.path} could not be written`);
    }
    made.push(change);
  }
  return { link: `gitdir: ${join(guard.workspace.path, admin)}\n`, undo };
}

/** The file by which git knows the directory for the worktree. */
export const linkWorktree = (directory: string, { link }: MadeWorktree): void =>
  writeFileSync(join(directory, '.git'), link, { flag: 'wx' });

const wallMs = 120_000;

/** What git would change in the repository; what it would put into the workspace is left out. */
async function askForWorktree({ guard, stance, branch }: WorktreeOptions, name: string): Promise<WorkspaceChange[]> {
  const words = ['worktree', 'add', '--no-checkout', '-b', branch, name] as const;
  const command = { git: { act: ['git', ...words], words } } as const;
  const end = await guard.commands(stance).run({ command, wallMs, permitted: 'ask' }, new AbortController().signal);
  if (end.kind === 'refused') throw notMade(end.because);
  const { result } = end;
  if (result.kind !== 'exit' || result.code !== 0) throw notMade(describe(result));
  if (result.leavings.kind !== 'changes') throw notMade('git has left no worktree');
  return result.leavings.changes.filter(({ path }) => path.startsWith('.git/'));
}

function describe(result: SandboxResult): string {
  return result.kind === 'exit' ? result.stderr.text.trim().replace(/\.$/, '') : `git ended with "${result.kind}"`;
}

function findAdmin(changes: readonly WorkspaceChange[]): string {
  const gitdir = changes.find(({ path }) => gitdirPattern.test(path));
  if (gitdir === undefined) throw notMade('git has left no worktree');
  return gitdir.path.slice(0, -'/gitdir'.length);
}

const gitdirPattern = /^\.git\/worktrees\/[^/]+\/gitdir$/;

function withDirectory(change: WorkspaceChange, admin: string, directory: string): WorkspaceChange {
  const { path, after } = change;
  if (path !== `${admin}/gitdir` || after?.kind !== 'file') return change;
  return { ...change, after: { ...after, bytes: Buffer.from(`${join(directory, '.git')}\n`) } };
}

const maxIndexBytes = 256 * 1024 * 1024;

async function readIndex(guard: Guard, admin: string): Promise<WorkspaceChange[]> {
  const read = await guard.entry('.git/index', maxIndexBytes);
  if (read.kind !== 'entry' || read.entry?.kind !== 'file') return [];
  return [{ path: `${admin}/index`, before: null, after: read.entry }];
}

const notMade = (reason: string): EngineError =>
  new EngineError('workspace-unusable', `No worktree was made: ${reason}.`, {
    remedy: 'Correct what stands in the way, or make a plain copy with --into DIR.',
  });
