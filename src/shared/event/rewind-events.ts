// A person takes a run back: what is about to be done is durable before it is, and what came of it afterwards.
import { z } from 'zod';
import { BlobRef } from '../blob-ref.ts';
import { RunOutcome } from '../outcome.ts';
import { PutBackFile, RewindAim } from '../rewind.ts';
import { count } from './units.ts';

export const rewindEvents = [
  z.strictObject({
    type: z.literal('rewind-start'),
    actor: z.string(),
    aim: RewindAim,
    /** What is about to change: before and after of each path, packed; absent where no path does. */
    changes: BlobRef.optional(),
    /** What is meant to become of each path that the rewind is about. */
    files: z.array(PutBackFile),
    /** Changes of processes that were not told one by one, and so are not put back. */
    untold: count,
  }),
  z.strictObject({
    type: z.literal('run-rewind'),
    actor: z.string(),
    aim: z.enum(['step', 'files', 'undo']),
    /** The step after which the run goes on; absent where the conversation does not go back. */
    to: count.optional(),
    /** What became of each path. */
    files: z.array(PutBackFile),
    untold: count,
    /** Questions that nobody needs to answer any more. */
    cancelled: z.array(z.string()),
    /** How the run stands now; absent: as before. */
    outcome: RunOutcome.nullable().optional(),
  }),
] as const;
