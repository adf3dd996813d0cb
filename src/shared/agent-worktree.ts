// The directory that a spawned agent has to itself in place of the workspace: a further worktree of its repository.
import { z } from 'zod';

export const AgentWorktree = z.strictObject({
  /** Real path. What it began with lies beside it. */
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  branch: z.string(),
});
export type AgentWorktree = z.infer<typeof AgentWorktree>;
