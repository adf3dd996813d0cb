// How a call is carried out: what is about to happen is durable before it does, what came of it afterwards.
import { z } from 'zod';
import { BlobRef } from '../blob-ref.ts';
import { AgentId, BlobHash } from '../id.ts';
import { count, ms } from './units.ts';

/** What a crash between start and finish means. It follows from what was permitted, not from what a tool says of itself. */
export const RecoveryClass = z.enum(['repeat', 'compare', 'indeterminate']);
export type RecoveryClass = z.infer<typeof RecoveryClass>;

/** A change to one file: null means that the file is not there. */
export const FileChange = z.strictObject({
  path: z.string(),
  before: BlobRef.nullable(),
  after: BlobRef.nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

/** A file whose content the agent knows after a call: the ground for refusing a write over a newer one. */
export const SeenFile = z.strictObject({ path: z.string(), hash: BlobHash });
export type SeenFile = z.infer<typeof SeenFile>;

export const callEvents = [
  z.strictObject({
    type: z.literal('call-start'),
    call: count,
    tool: z.string(),
    class: RecoveryClass,
    /** At least one of its acts was judged ask. */
    risky: z.boolean(),
    /** The request whose approval this start consumes. */
    approval: z.string().optional(),
    /** What is about to change, with both images, so that a crash can be settled by looking. */
    change: FileChange.optional(),
    /** What the model will be told once that change is made; kept so that a resumed run says the same. */
    result: BlobRef.optional(),
  }),
  z.strictObject({
    type: z.literal('fetch-hop'),
    call: count,
    /** A host that a page was asked of, as `host:port`, told when that was over. */
    target: z.string(),
    /** What the connection was to, as `ip:port`; null where there was none, and where a proxy made it. */
    address: z.string().nullable(),
    allowed: z.boolean(),
    /** Why it was refused or failed; absent for what answered. */
    because: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('call-stage'),
    call: count,
    /** What a command has left that is not made yet: before and after of each path, packed. */
    changes: BlobRef,
    /** What it came to without that, as the model will be told. */
    result: BlobRef,
    status: z.enum(['ok', 'failed']),
    durationMs: ms,
  }),
  z.strictObject({
    type: z.literal('call-finish'),
    call: count,
    tool: z.string(),
    /** `denied`: policy or a person said no. `unknown`: it was started, and nobody can tell whether it took effect. */
    status: z.enum(['ok', 'failed', 'denied', 'unusable', 'unknown', 'interrupted']),
    /** What the call was about, for one line in a trace. */
    target: z.string(),
    /** The whole result, and what the model is shown of it when that is less. */
    result: BlobRef,
    shown: BlobRef.optional(),
    /** Why it was refused, where the result tells more than that. */
    because: z.string().optional(),
    seen: z.array(SeenFile),
    changed: z.boolean(),
    /** What a command's changes have made different in the workspace, where it was more than one file. */
    paths: z.array(z.string()).optional(),
    /** The agents of whom it tells how they ended, in the order in which they were spawned. */
    agents: z.array(AgentId).optional(),
    /** It tells what stood in the mailbox: so many of the oldest. */
    mail: count.optional(),
    durationMs: ms,
  }),
  z.strictObject({
    type: z.literal('recovery-request'),
    call: count,
    request: z.string(),
    tool: z.string(),
    target: z.string(),
    because: z.string(),
    /** How often it has been asked what became of the call, this time included; absent for the first. */
    round: z.int().positive().optional(),
    /** The arguments of the call as JSON, with secrets masked. */
    arguments: BlobRef,
  }),
] as const;
