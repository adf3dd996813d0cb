// A run that begins where another one stood. What it takes along is named once, by reference: the contents are those of the
// original, so that a fork costs no more than its list.
import { z } from 'zod';
import { BlobRef, Origin } from '../blob-ref.ts';
import { AgentId, RunId } from '../id.ts';
import { PutBackFile } from '../rewind.ts';
import { Usage } from '../usage.ts';
import { SeenFile } from './call-events.ts';
import { count } from './units.ts';

const LabelSource = z.strictObject({
  origin: Origin,
  target: z.string(),
  step: count,
  via: z.array(AgentId).optional(),
});

/** What may be another than in the original. */
export const ForkChange = z.enum(['goal', 'contract', 'model', 'policy']);
export type ForkChange = z.infer<typeof ForkChange>;

/** The original's own files with all that has changed since, or a copy or worktree that was put back to what it was then. */
export const ForkPlace = z.enum(['copy', 'worktree', 'here']);
export type ForkPlace = z.infer<typeof ForkPlace>;

/** One message of the original's context. */
export const CarriedItem = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'user', 'assistant']), blob: BlobRef }),
  z.strictObject({
    role: z.literal('result'),
    blob: BlobRef,
    callId: z.string(),
    call: count,
    tool: z.string(),
    target: z.string(),
    whole: BlobRef,
  }),
]);

export const forkEvents = [
  z.strictObject({
    type: z.literal('run-fork'),
    from: RunId,
    /** The step of the original after which this run goes on, and the last event of the original that counts for it. */
    fromStep: count,
    fromSeq: z.int().positive(),
    place: ForkPlace,
    changed: z.array(ForkChange),
    /** What the original had spent until then. It is not counted here. */
    spent: z.strictObject({ usage: Usage, costUsd: z.number().nonnegative().nullable() }),
    phase: z.enum(['ready', 'claiming', 'cut-off']),
    claims: count,
    compactedBefore: count,
    leftOut: count.optional(),
    counted: z.strictObject({ tokens: count, bytesSince: count, itemsSince: count }).nullable(),
    /** Where what the agent was shown came from. */
    label: z.strictObject({
      origins: z.array(Origin),
      untrusted: LabelSource.nullable(),
      sensitive: LabelSource.nullable(),
    }),
    /** What became of each path that the original has changed since. */
    files: z.array(PutBackFile),
    /** Changes of processes that were not told one by one, and so are not put back. */
    untold: count,
  }),
  z.strictObject({
    type: z.literal('fork-context'),
    /** The next part of the context behind what the run began with, and files that the agent knows. */
    items: z.array(CarriedItem),
    seen: z.array(SeenFile),
  }),
] as const;
