// How a run is taken back: what a rewind aims at, and what becomes of each path it is about.
import { z } from 'zod';
import { BlobRef } from './blob-ref.ts';
import { AgentId, BlobHash } from './id.ts';

const count = z.int().nonnegative();

/** What the person who rewinds wants. */
export const RewindAim = z.discriminatedUnion('kind', [
  /** The run goes on from the end of this step; 0 is its beginning. */
  z.strictObject({
    kind: z.literal('step'),
    step: count,
    /** So much of the agent's context is kept, and of that so much stands as pointers. */
    items: count,
    compactedBefore: count,
    leftOut: count.optional(),
    /** What the agent knows of the files it has seen since; null: nothing. */
    seen: z.array(z.strictObject({ path: z.string(), hash: BlobHash.nullable() })),
    /** Spawned agents that came to be since, or were at work then: what they did since is taken back, and they end. */
    ended: z.array(AgentId).optional(),
    /** Of those that had ended by then: the ones of which the agent was told only since. */
    untold: z.array(AgentId).optional(),
    /** What other agents had said to it by then, and it had not read; absent: just what it has not read now. */
    mail: z.array(z.strictObject({ from: AgentId, content: BlobRef })).optional(),
  }),
  /** Files are put back and the conversation stays where it is. */
  z.strictObject({ kind: z.literal('files') }),
  /** The last rewind is taken back; `rewind` is the sequence number of its start. */
  z.strictObject({ kind: z.literal('undo'), rewind: count }),
]);
export type RewindAim = z.infer<typeof RewindAim>;

/**
 * `restored`, `removed`: it is again what it was, or is again not there. `already`: it was so already. `changed`: somebody else
 * has changed it since. `not-kept`: nobody knows what it was. `refused`: policy denies it. `left`: it cannot be done.
 */
export const PutBackFate = z.enum(['restored', 'removed', 'already', 'changed', 'not-kept', 'refused', 'left']);
export type PutBackFate = z.infer<typeof PutBackFate>;

export const PutBackFile = z.strictObject({
  path: z.string(),
  fate: PutBackFate,
  /** Why, where the fate does not say it. */
  because: z.string().optional(),
  /** Where a copy lies of what somebody else had made of it. */
  copy: z.string().optional(),
});
export type PutBackFile = z.infer<typeof PutBackFile>;
