// What a round of hostile programs came to, as one process prints it and another reads it.
import { z } from 'zod';

export const Verdict = z.enum(['reached', 'contained', 'broken']);
export type Verdict = z.infer<typeof Verdict>;

/** By the name of the probe: what came of it, and a word on how. */
export const ProbeAnswers = z.record(z.string(), z.tuple([Verdict, z.string()]));
export type ProbeAnswers = z.infer<typeof ProbeAnswers>;

export const HostileReport = z.union([
  z.object({ kind: z.literal('skipped'), reason: z.string() }),
  z.object({
    kind: z.literal('ran'),
    /** By mode of the directory; a text is why nothing was started in that mode. */
    probes: z.record(z.string(), z.union([ProbeAnswers, z.string()])),
    /** By the name of the case: how it ended. */
    bombs: z.record(z.string(), z.string()),
    /** Processes of a command a second after its engine was killed. */
    leftAfterKill: z.int().nullable(),
    /** Private directories that are still there. */
    leftDirectories: z.array(z.string()),
  }),
]);
export type HostileReport = z.infer<typeof HostileReport>;
