// What people say to a run, from whichever process.
import { z } from 'zod';
import { ApprovalChoice, Remember } from '../approval.ts';
import { BlobRef } from '../blob-ref.ts';
import { AgentId } from '../id.ts';
import { RecoveryChoice } from '../recovery.ts';
import { Budgets } from '../task-contract.ts';
import { count } from './units.ts';

/** Which agent with all that work for it; absent: the whole run. */
const agent = AgentId.optional();

export const personEvents = [
  z.strictObject({
    type: z.literal('approval-decision'),
    request: z.string(),
    decision: ApprovalChoice,
    actor: z.string(),
    reason: z.string().optional(),
    /** The digest of what was shown to whoever decided. */
    digest: z.string().optional(),
    /** Other arguments for the call, as JSON. */
    rewrite: BlobRef.optional(),
    remember: Remember.optional(),
    /** Made with the credential of the home, over all of the above. */
    proof: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('recovery-decision'),
    call: count,
    /** The question that it answers. */
    request: z.string().optional(),
    decision: RecoveryChoice,
    actor: z.string(),
    reason: z.string().optional(),
    /** What the call came to, with `completed`. */
    result: BlobRef.optional(),
    /** Made with the credential of the home, over all of the above. */
    proof: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('run-steer'), actor: z.string(), content: BlobRef, agent }),
  z.strictObject({ type: z.literal('run-pause'), actor: z.string(), agent }),
  /** Takes back the pause of one agent; that of the whole run ends when it is resumed. */
  z.strictObject({ type: z.literal('agent-resume'), actor: z.string(), agent: AgentId }),
  z.strictObject({ type: z.literal('run-cancel'), actor: z.string(), agent }),
  z.strictObject({
    type: z.literal('run-takeover'),
    actor: z.string(),
    /** Who had it, and could not be seen to live. */
    from: z.strictObject({ machine: z.string(), pid: z.int() }),
    /** Why that could not be told. */
    because: z.string(),
  }),
  z.strictObject({
    type: z.literal('ceiling-raise'),
    actor: z.string(),
    budget: Budgets.keyof(),
    /** The new limit; null lifts it. */
    limit: z.number().nonnegative().nullable(),
    agent,
  }),
] as const;
