// What a model was asked and what came of it, with what it cost.
import { z } from 'zod';
import { BlobRef } from '../blob-ref.ts';
import { BlobHash } from '../id.ts';
import { Usage } from '../usage.ts';
import { count, ms } from './units.ts';

/** The worst case that was set aside before a request left. */
export const Reservation = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  costUsd: z.number().nonnegative().nullable(),
});
export type Reservation = z.infer<typeof Reservation>;

export const ProviderFailureClass = z.enum([
  'connection',
  'timeout',
  'rate-limited',
  'quota',
  'server',
  'auth',
  'unknown-model',
  'request',
  'context-overflow',
  'malformed',
  'cut-off',
  'aborted',
]);
export type ProviderFailureClass = z.infer<typeof ProviderFailureClass>;

/** A call as the model proposed it. Its arguments stand in the reply's message blob. */
export const ProposedCall = z.strictObject({
  /** Position in the reply; together with agent and step the key of the call. */
  call: count,
  /** The provider's id, needed to pair the result with the call. */
  id: z.string(),
  tool: z.string(),
  /** The same for the same tool with the same arguments; absent in runs of before it was kept. */
  fingerprint: z.string().optional(),
  /** Why the call cannot be carried out at all; absent for a usable one. */
  unusable: z.string().optional(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

export const modelEvents = [
  z.strictObject({
    type: z.literal('model-start'),
    attempt: z.int().positive(),
    reservation: Reservation,
    maxOutputTokens: z.int().positive(),
    activeMs: ms,
  }),
  z.strictObject({
    type: z.literal('model-finish'),
    attempt: z.int().positive(),
    /** The assistant's message as JSON: text and calls with their arguments. */
    message: BlobRef,
    /** Names what was asked; absent in runs of before it was kept. */
    request: BlobHash.optional(),
    finish: z.enum(['stop', 'calls', 'length', 'filter']),
    calls: z.array(ProposedCall),
    usage: Usage,
    /** The provider reported none, so `usage` is the engine's own upper bound. */
    usageEstimated: z.literal(true).optional(),
    costUsd: z.number().nonnegative().nullable(),
    /** From sending the request to the first event, and to the end. */
    firstEventMs: ms,
    durationMs: ms,
    activeMs: ms,
  }),
  z.strictObject({
    type: z.literal('model-fail'),
    attempt: z.int().positive(),
    failure: ProviderFailureClass,
    status: count.optional(),
    /** What the provider said, with secrets masked. */
    message: z.string(),
    /** When the next attempt is due; null when there will be none. */
    retryAtMs: z.number().nullable(),
    /** `unknown`: the request may have been billed, so its reservation stays on the ledger; `known`: `usage` was billed. */
    charge: z.enum(['none', 'unknown', 'known']),
    usage: Usage.optional(),
    costUsd: z.number().nonnegative().nullable().optional(),
    activeMs: ms,
  }),
] as const;
