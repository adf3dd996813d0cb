// Takes a worktree and its branch out of the repository, as git keeps them: what it holds of a directory that is gone, and the
// branch, which git deletes in the sandbox. What is gone already is no harm.
import { join } from 'node:path';
import type { Guard } from '../../guard/guard.ts';
import type { Stance } from '../../policy/policy.ts';
import type { WorkspaceChange } from '../../sandbox/sandbox.ts';

export interface ForgetOptions {
  /** Of the workspace. */
  readonly guard: Guard;
  readonly stance: Stance;
  /** Where the worktree lay. */
  readonly path: string;
  readonly branch: string;
}

/** Null: nothing of it is left; else what, and why. */
export async function forgetWorktree(options: ForgetOptions): Promise<string | null> {
  const { guard, stance, path } = options;
  for (const name of await listNames(guard, worktrees)) {
    const admin = `${worktrees}/${name}`;
    if ((await readText(guard, `${admin}/gitdir`)) !== `${join(path, '.git')}\n`) continue;
    const because = await remove(guard, stance, admin);
    if (because !== null) return because;
  }
  if ((await listNames(guard, worktrees)).length === 0) await remove(guard, stance, worktrees);
  return deleteBranch(options);
}

const worktrees = '.git/worktrees';

const maxBytes = 256 * 1024 * 1024;

async function listNames(guard: Guard, path: string): Promise<readonly string[]> {
  const read = await guard.entry(path, maxBytes);
  return read.kind === 'entry' && read.entry?.kind === 'directory' ? read.names : [];
}

async function readText(guard: Guard, path: string): Promise<string | null> {
  const read = await guard.entry(path, maxBytes);
  return read.kind === 'entry' && read.entry?.kind === 'file' ? new TextDecoder().decode(read.entry.bytes) : null;
}

/** With all that lies in it. */
async function remove(guard: Guard, stance: Stance, path: string): Promise<string | null> {
  const read = await guard.entry(path, maxBytes);
  if (read.kind === 'unreadable') return `${path} is left: ${read.reason}`;
  if (read.entry === null) return null;
  for (const name of read.names) {
    const because = await remove(guard, stance, `${path}/${name}`);
    if (because !== null) return because;
  }
  return make(guard, stance, { path, before: read.entry, after: null });
}

async function make(guard: Guard, stance: Stance, change: WorkspaceChange): Promise<string | null> {
  const end = await guard.change(change, { permitted: 'ask' }, stance);
  return end.kind === 'made' ? null : `${change.path} is left`;
}

const wallMs = 120_000;

async function deleteBranch({ guard, stance, branch }: ForgetOptions): Promise<string | null> {
  const words = ['branch', '-D', branch] as const;
  const command = { git: { act: ['git', ...words], words } } as const;
  const end = await guard.commands(stance).run({ command, wallMs, permitted: 'ask' }, new AbortController().signal);
  const left = `the branch ${branch} is left`;
  if (end.kind === 'refused') return `${left}: ${end.because}`;
  const { result } = end;
  if (result.kind !== 'exit') return `${left}: git ended with "${result.kind}"`;
  if (result.code !== 0) {
    const said = result.stderr.text.trim();
    return /not found/.test(said) ? null : `${left}: ${said}`;
  }
  const changes = result.leavings.kind === 'changes' ? result.leavings.changes : [];
  for (const change of changes.filter(({ path }) => path.startsWith('.git/'))) {
    const because = await make(guard, stance, change);
    // Another branch may lie in the same directory by now.
    if (because !== null && change.before?.kind !== 'directory') return left;
  }
  return null;
}
