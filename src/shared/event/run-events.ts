// How a run begins, is taken up again, goes from step to step and ends.
import { z } from 'zod';
import { BlobRef } from '../blob-ref.ts';
import { AgentId, BlobHash, RunId } from '../id.ts';
import { RunOutcome } from '../outcome.ts';
import { RecoveryPolicy } from '../recovery.ts';
import { Budgets, TreeCaps } from '../task-contract.ts';
import { Price } from '../usage.ts';
import { count, ms } from './units.ts';

/** Which model answers, and where. Never holds a key. */
export const ProviderChoice = z.strictObject({
  /** The configured name: `openrouter`, `openai`, or one an embedder chose. */
  name: z.string(),
  wire: z.enum(['openai-chat', 'custom']),
  baseUrl: z.string().nullable(),
  model: z.string(),
});
export type ProviderChoice = z.infer<typeof ProviderChoice>;

/**
 * Who answers an ask: whoever gets to it while the run waits (`ask`) or after it has ended (`defer`), whoever started the run
 * for all of them at once (`all`, `deny`), or another model (`model`).
 */
export const Posture = z.enum(['ask', 'defer', 'all', 'deny', 'model']);
export type Posture = z.infer<typeof Posture>;

export const runEvents = [
  z.strictObject({
    type: z.literal('run-start'),
    engineVersion: z.string(),
    /** The whole contract as JSON. */
    contract: BlobRef,
    /** The first line of the goal, for lists. */
    title: z.string(),
    workspace: z.strictObject({ path: z.string(), device: z.string(), inode: z.string() }),
    verification: z.string(),
    budgets: Budgets,
    provider: ProviderChoice,
    posture: Posture,
    policyHash: z.string(),
    /** The scopes the policy was composed of, as JSON. */
    policy: BlobRef.optional(),
    /** The least that commands may be enclosed by, and what they are enclosed by here; absent: none is run. */
    minimumIsolation: z.string().optional(),
    isolation: z.string().optional(),
    /** The model that answers asks in people's place. */
    reviewer: z.string().optional(),
    /** Who settles calls of which nobody can know what became; absent: it follows from the posture. */
    recovery: RecoveryPolicy.optional(),
    /** Nothing is written, run or remembered before a person has approved a plan. */
    plansFirst: z.literal(true).optional(),
    /** What spawned agents are held to; absent: none may be spawned. */
    containment: TreeCaps.optional(),
    contextTokens: z.int().positive(),
    maxOutputTokens: z.int().positive(),
    price: Price.nullable(),
    system: BlobRef,
    prompt: BlobRef,
    /** Size of the tool descriptions that go with every request. */
    toolBytes: count,
    /** Live runs that were working in the same workspace when this one started. */
    neighbours: z.array(RunId),
  }),
  z.strictObject({
    type: z.literal('run-resume'),
    provider: ProviderChoice,
    posture: Posture,
    policyHash: z.string(),
    policy: BlobRef.optional(),
    minimumIsolation: z.string().optional(),
    isolation: z.string().optional(),
    /** The model that answers asks in people's place. */
    reviewer: z.string().optional(),
    recovery: RecoveryPolicy.optional(),
    contextTokens: z.int().positive(),
    price: Price.nullable(),
  }),
  z.strictObject({
    type: z.literal('policy-notice'),
    /** The file of the repository whose change is shown and not applied. */
    file: z.string(),
    because: z.string(),
  }),
  z.strictObject({ type: z.literal('step-finish'), activeMs: ms }),
  z.strictObject({
    type: z.literal('observation'),
    kind: z.enum(['check-evidence', 'reply-unusable', 'steer', 'rewind', 'fork', 'agent-reports', 'repetition']),
    content: BlobRef,
    /** Those of whom it tells how they ended. */
    agents: z.array(AgentId).optional(),
  }),
  z.strictObject({
    type: z.literal('context-compact'),
    /** Results before this position in the agent's context are shown as one-line pointers from now on. */
    before: count,
    replaced: count,
    /** Items before this position, behind the first two, are not shown any more; absent: as before. */
    leftOut: count.optional(),
    tokensBefore: count,
    tokensAfter: count,
  }),
  z.strictObject({ type: z.literal('run-finish'), outcome: RunOutcome, activeMs: ms }),
  z.strictObject({
    type: z.literal('run-import'),
    /** The file that all events before this one came out of, and its SHA-256. */
    source: z.string(),
    digest: BlobHash,
  }),
  z.strictObject({
    type: z.literal('run-adopt'),
    actor: z.string(),
    /** Where it goes on from now on. */
    workspace: z.strictObject({ path: z.string(), device: z.string(), inode: z.string() }),
  }),
] as const;
