// The guards of worktrees that agents work in, each opened once; they are closed with the run.
import type { AgentWorktree } from '../../shared/agent-worktree.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { Guard } from '../guard/guard.ts';
import { holdGuard, type OpenGuardOptions } from '../guard/open-guard.ts';

export interface WorktreeGuards extends Disposable {
  /**
   * Null: that of the workspace. Throws `workspace-unusable` where another directory has taken the place of the worktree.
   */
  of(worktree: AgentWorktree | null): Guard;
}

/** `own`: of the workspace; it stays whoever opened it's to close. */
export function createWorktreeGuards(own: Guard, options: Omit<OpenGuardOptions, 'workspace'>): WorktreeGuards {
  const opened = new Map<string, Guard>();
  return {
    of(worktree) {
      if (worktree === null) return own;
      const known = opened.get(worktree.path);
      if (known !== undefined) return known;
      const guard = holdGuard({ ...options, workspace: worktree.path });
      opened.set(worktree.path, guard);
      const { device, inode } = guard.workspace;
      if (device !== worktree.device || inode !== worktree.inode) throw replaced(worktree.path);
      return guard;
    },
    [Symbol.dispose]() {
      for (const guard of opened.values()) guard.close();
    },
  };
}

const replaced = (path: string): EngineError =>
  new EngineError('workspace-unusable', `${path} is not the worktree that the agent worked in: it has been replaced.`, {
    remedy: 'Put the original directory back, or rewind the run to before the agent was spawned.',
  });
