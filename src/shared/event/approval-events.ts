// What acts were judged, which questions came of it, and what another model said to them.
import { z } from 'zod';
import { ActKind, Effect, LayerOrigin, Program } from '../act.ts';
import { ApprovalChoice } from '../approval.ts';
import { BlobRef } from '../blob-ref.ts';
import { Usage } from '../usage.ts';
import { Reservation } from './model-events.ts';
import { count, ms } from './units.ts';

/** What is judged: an act, or the plan that a contract wants to see first. */
export const JudgedKind = z.enum([...ActKind.options, 'plan']);
export type JudgedKind = z.infer<typeof JudgedKind>;

export const approvalEvents = [
  z.strictObject({
    type: z.literal('act-judged'),
    call: count,
    act: JudgedKind,
    target: z.string(),
    /** Where the target really lies, when that differs; null where it cannot be told. */
    real: z.string().nullable().optional(),
    letterCase: z.literal('ignored').optional(),
    outside: z.literal(true).optional(),
    program: Program.optional(),
    /** Why nobody can say what it will do. */
    opaque: z.string().optional(),
    /** The agent held both untrusted and sensitive input. */
    tainted: z.literal(true).optional(),
    effect: Effect,
    /** A change that a command left and that is not made; the call goes on without it. */
    dropped: z.literal(true).optional(),
    rule: z.string().nullable(),
    layer: z.string(),
    origin: LayerOrigin.optional(),
    /** Why, for people; an allowed act needs no reason beyond its rule and layer. The policy is that of the last run event. */
    because: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('approval-request'),
    call: count,
    request: z.string(),
    act: JudgedKind,
    target: z.string(),
    because: z.string(),
    /** How often the call has been asked about, this time included; absent for the first. */
    round: z.int().positive().optional(),
    /** Over everything that will happen; an answer names it. */
    digest: z.string().optional(),
    /** `RequestDetails` as JSON. */
    details: BlobRef.optional(),
  }),
  z.strictObject({
    type: z.literal('approval-lapse'),
    call: count,
    request: z.string(),
    /** What is no longer as it was when the request was made, or why the answer does not count. */
    because: z.string(),
  }),
  z.strictObject({
    type: z.literal('review-start'),
    call: count,
    request: z.string(),
    model: z.string(),
    reservation: Reservation,
    activeMs: ms,
  }),
  z.strictObject({
    type: z.literal('review-finish'),
    call: count,
    request: z.string(),
    model: z.string(),
    /** An answer that cannot be read is no answer: `defer`. */
    decision: ApprovalChoice,
    reason: z.string(),
    usage: Usage.nullable(),
    costUsd: z.number().nonnegative().nullable(),
    activeMs: ms,
  }),
] as const;
