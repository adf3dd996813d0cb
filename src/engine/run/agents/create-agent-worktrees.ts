// The worktrees of agents: each is a copy of the workspace as it is at that moment, beside it what it began with, and an entry
// in the repository, which git makes in the sandbox. What a crash cut off is removed before the same agent is given another.
import { existsSync, lstatSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentWorktree } from '../../../shared/agent-worktree.ts';
import { isEngineError } from '../../../shared/engine-error.ts';
import type { AgentId, RunId } from '../../../shared/id.ts';
import type { Guard } from '../../guard/guard.ts';
import type { Stance } from '../../policy/policy.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import { copyTree } from '../../sandbox/staged/copy-tree.ts';
import { toErrorCode } from '../../sandbox/to-error-code.ts';
import { isLinked } from '../fork/fork-place.ts';
import { syncTree } from '../fork/sync-tree.ts';
import { linkWorktree, makeWorktree } from '../fork/worktree.ts';
import type { AgentWorktrees, WorktreeMade } from './agent-worktrees.ts';
import { createQueue } from './create-queue.ts';
import { forgetWorktree } from './forget-worktree.ts';
import { readWorktreeChanges } from './read-worktree-changes.ts';

export interface AgentWorktreesOptions {
  /** The directories lie beside where it really is. */
  readonly home: string;
  readonly runId: RunId;
  /** Of the workspace. */
  readonly guard: Guard;
}

export function createAgentWorktrees({ home, runId, guard }: AgentWorktreesOptions): AgentWorktrees {
  const above = join(`${realpathSync(home)}-worktrees`, runId);
  // Of changes to the repository each begins with what the one before it left.
  const inTurn = createQueue();
  return {
    make: ({ child, known, stance, signal }) =>
      inTurn(async () => {
        const obstacle = findObstacle(guard.workspace.path, stance);
        if (obstacle !== null) return refuse(obstacle);
        const name = findName(child, above, known);
        const directory = join(above, name);
        const branch = `io-studio/${runId}/${name}`;
        const left = await removeAll({ guard, stance, directory, branch });
        if (left !== null) return refuse(left);
        try {
          return await make({ guard, stance, directory, branch, signal });
        } catch (error) {
          await removeAll({ guard, stance, directory, branch });
          return refuse(describe(error));
        }
      }),
    readChanges: ({ path }) => readWorktreeChanges(path, toBase(dirname(path))),
    remove: ({ path, branch }, stance) => inTurn(() => removeAll({ guard, stance, directory: dirname(path), branch })),
  };
}

/** Throws what is neither the word of git nor one of the file system. */
function describe(error: unknown): string {
  if (isEngineError(error)) return error.message.replace(/\.$/, '');
  const code = toErrorCode(error);
  if (!/^E[A-Z0-9]+$/.test(code)) throw error;
  return `no worktree could be made: ${code}`;
}

const refuse = (reason: string): WorktreeMade => ({ kind: 'refused', reason });

function findObstacle(workspace: string, { isolation }: Stance): string | null {
  if (isolation === 'none') return 'no command runs enclosed here, and git makes a worktree';
  const stats = lstatSync(join(workspace, '.git'), { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return null;
  return isLinked(workspace)
    ? 'the workspace is a worktree or a submodule itself, whose repository lies elsewhere'
    : 'the workspace is no git repository';
}

/** A run that was taken back may spawn an agent of the same name again. */
function findName(child: AgentId, above: string, known: readonly AgentWorktree[]): string {
  const name = child.replaceAll('/', '-');
  const taken = new Set(known.map(({ path }) => dirname(path)));
  for (let count = 1; ; count++) {
    const numbered = count === 1 ? name : `${name}-${count}`;
    if (!taken.has(join(above, numbered))) return numbered;
  }
}

interface Place {
  readonly guard: Guard;
  readonly stance: Stance;
  /** What all of it lies in. */
  readonly directory: string;
  readonly branch: string;
}

const toBase = (directory: string): string => join(directory, 'base');

async function make({ signal, ...place }: Place & { readonly signal: AbortSignal }): Promise<WorktreeMade> {
  const { guard, stance, directory, branch } = place;
  mkdirSync(toBase(directory), { recursive: true, mode: 0o700 });
  const because = 'a worktree holds a copy of it';
  const work = await copyTree({
    ...{ workspace: guard.workspace.path, hidden: ['.git'], into: directory, owner: null, because, signal },
  });
  if (work.kind === 'refused') return undo(place, work.reason);
  // Others go on in the workspace meanwhile: what it begins with is what was copied.
  const base = await copyTree({
    ...{ workspace: work.path, hidden: [], into: toBase(directory), owner: null, because, signal },
  });
  if (base.kind === 'refused') return undo(place, base.reason);
  linkWorktree(work.path, await makeWorktree({ guard, stance, branch, directory: work.path }));
  await syncTree(directory);
  const stats = lstatSync(work.path, { bigint: true });
  const worktree = { path: work.path, device: String(stats.dev), inode: String(stats.ino), branch };
  return { kind: 'made', worktree };
}

async function undo(place: Place, reason: string): Promise<WorktreeMade> {
  await removeAll(place);
  return refuse(reason);
}

async function removeAll({ guard, stance, directory, branch }: Place): Promise<string | null> {
  if (existsSync(directory) && !(await removeTree(directory))) return `${directory} could not be removed`;
  rmdirIfEmpty(dirname(directory));
  return forgetWorktree({ guard, stance, branch, path: join(directory, 'workspace') });
}

/** Others of the run may lie in it. */
function rmdirIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It holds something, or is litter that stands in nobody's way.
  }
}
