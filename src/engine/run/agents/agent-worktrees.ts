// The port through which agents are given worktrees of their own, and these are read and removed again.
import type { AgentWorktree } from '../../../shared/agent-worktree.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { Stance } from '../../policy/policy.ts';
import type { Leavings } from '../../sandbox/sandbox.ts';

export type WorktreeMade =
  | { readonly kind: 'made'; readonly worktree: AgentWorktree }
  /** `reason` is a sentence without its end. Nothing is left of it. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface WorktreeWish {
  readonly child: AgentId;
  /** Those of the run: they are not touched. */
  readonly known: readonly AgentWorktree[];
  readonly stance: Stance;
  readonly signal: AbortSignal;
}

export interface AgentWorktrees {
  make(wish: WorktreeWish): Promise<WorktreeMade>;
  /** How it differs from what it began with, as changes to that. */
  readChanges(worktree: AgentWorktree): Promise<Leavings>;
  /** With its branch; also what is left of one. Null: nothing is left; else what and why. */
  remove(worktree: Pick<AgentWorktree, 'path' | 'branch'>, stance: Stance): Promise<string | null>;
}
