// What a round of hostile programs came to, as one process prints it and another reads it.
import { z } from 'zod';

export const Verdict = z.enum(['reached', 'contained', 'broken']);
export type Verdict = z.infer<typeof Verdict>;

/** By the name of the probe: what came of it, and a word on how. */
export const ProbeAnswers = z.record(z.string(), z.tuple([Verdict, z.string()]));
export type ProbeAnswers = z.infer<typeof ProbeAnswers>;

export const BombReport = z.object({
  /** In the words of the expectations, with whatever was left or harmed. */
  end: z.string(),
  /** The cap that was reached. */
  hit: z
    .object({
      cap: z.enum(['wall', 'cpu', 'memory', 'processes', 'output', 'file', 'disk']),
      limit: z.number(),
      observed: z.number(),
      unit: z.enum(['ms', 'bytes', 'processes']),
      enforcement: z.enum(['kernel', 'polled']),
    })
    .nullable(),
  /** Of each of the two outputs, at most. */
  keptBytes: z.int(),
});
export type BombReport = z.infer<typeof BombReport>;

/** What is left of an engine that was killed while a command of it ran. */
export const KillReport = z.object({
  /** Processes of the command a second later. */
  processes: z.int(),
  /** What it had in its private base. */
  entries: z.int(),
  /** Of that, what is there still when the next engine has begun. */
  entriesAfterSweep: z.array(z.string()),
});
export type KillReport = z.infer<typeof KillReport>;

export const HostileReport = z.union([
  z.object({ kind: z.literal('skipped'), reason: z.string() }),
  z.object({
    kind: z.literal('ran'),
    /** By mode of the directory; a text is why nothing was started in that mode. */
    probes: z.record(z.string(), z.union([ProbeAnswers, z.string()])),
    /** By the name of the case. */
    bombs: z.record(z.string(), BombReport),
    kill: KillReport.nullable(),
    /** Private directories that are still there. */
    leftDirectories: z.array(z.string()),
  }),
]);
export type HostileReport = z.infer<typeof HostileReport>;
