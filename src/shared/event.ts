// Everything that happens to a run, as the journal keeps it. The union only grows: a shape that was once written is read
// for ever. Two kinds of writer append here: the driver that holds the run's lease, and people (see `PersonEvent`).
import { z } from 'zod';
import { ActKind, Effect, LayerOrigin, Program } from './act.ts';
import { ApprovalChoice, Remember } from './approval.ts';
import { BlobRef } from './blob-ref.ts';
import { type AgentId, BlobHash, RunId } from './id.ts';
import { BudgetWhich, RunOutcome } from './outcome.ts';
import { Budgets } from './task-contract.ts';
import { Price, Usage } from './usage.ts';

const count = z.int().nonnegative();
const ms = z.number().nonnegative();

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
  /** Why the call cannot be carried out at all; absent for a usable one. */
  unusable: z.string().optional(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

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

/** Why a check ran: the model ended its turn, or this budget was spent. */
export const CheckTrigger = z.enum(['claim', ...BudgetWhich.options]);
export type CheckTrigger = z.infer<typeof CheckTrigger>;

/** What is judged: an act, or the plan that a contract wants to see first. */
export const JudgedKind = z.enum([...ActKind.options, 'plan']);
export type JudgedKind = z.infer<typeof JudgedKind>;

export const CheckResult = z.enum(['met', 'notMet', 'notEvaluated']);
export type CheckResult = z.infer<typeof CheckResult>;

const driverEvents = [
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
    /** The weakest isolation a command of the model may run in; absent: the model runs none. */
    minimumIsolation: z.string().optional(),
    /** The model that answers asks in people's place. */
    reviewer: z.string().optional(),
    /** Nothing is written, run or remembered before a person has approved a plan. */
    plansFirst: z.literal(true).optional(),
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
    /** The model that answers asks in people's place. */
    reviewer: z.string().optional(),
    contextTokens: z.int().positive(),
    price: Price.nullable(),
  }),
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
  z.strictObject({
    type: z.literal('policy-notice'),
    /** The file of the repository whose change is shown and not applied. */
    file: z.string(),
    because: z.string(),
  }),
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
    seen: z.array(SeenFile),
    changed: z.boolean(),
    durationMs: ms,
  }),
  z.strictObject({ type: z.literal('step-finish'), activeMs: ms }),
  z.strictObject({
    type: z.literal('observation'),
    kind: z.enum(['check-evidence', 'reply-unusable', 'steer']),
    content: BlobRef,
  }),
  z.strictObject({ type: z.literal('check-start'), trigger: CheckTrigger }),
  z.strictObject({
    type: z.literal('check-finish'),
    trigger: CheckTrigger,
    result: CheckResult,
    /** One line for people; the evidence holds the rest. */
    summary: z.string(),
    evidence: BlobRef,
    /** What enclosed the commands it ran; null when it ran none. */
    isolation: z.string().nullable(),
    durationMs: ms,
    activeMs: ms,
  }),
  z.strictObject({
    type: z.literal('context-compact'),
    /** Results before this position in the agent's context are shown as one-line pointers from now on. */
    before: count,
    replaced: count,
    tokensBefore: count,
    tokensAfter: count,
  }),
  z.strictObject({ type: z.literal('run-finish'), outcome: RunOutcome, activeMs: ms }),
] as const;

const personEvents = [
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
    decision: z.enum(['retry', 'completed', 'abort']),
    actor: z.string(),
    result: BlobRef.optional(),
  }),
  z.strictObject({ type: z.literal('run-steer'), actor: z.string(), content: BlobRef }),
  z.strictObject({ type: z.literal('run-pause'), actor: z.string() }),
  z.strictObject({ type: z.literal('run-cancel'), actor: z.string() }),
  z.strictObject({
    type: z.literal('ceiling-raise'),
    actor: z.string(),
    budget: Budgets.keyof(),
    /** The new limit; null lifts it. */
    limit: z.number().nonnegative().nullable(),
  }),
] as const;

/** What the driver of a run appends under its lease. */
export const DriverEventBody = z.discriminatedUnion('type', [...driverEvents]);
export type DriverEventBody = z.infer<typeof DriverEventBody>;

/** What anyone entitled may append to a run, also while another process drives it. */
export const PersonEventBody = z.discriminatedUnion('type', [...personEvents]);
export type PersonEventBody = z.infer<typeof PersonEventBody>;

export const EventBody = z.discriminatedUnion('type', [...driverEvents, ...personEvents]);
export type EventBody = z.infer<typeof EventBody>;
export type EventType = EventBody['type'];

/** Who an event is about: which agent, and in which trip round its loop. */
export interface EventPlace {
  readonly agentId: AgentId;
  readonly step: number;
}

/** What every event carries besides its body. */
export interface EventEnvelope extends EventPlace {
  readonly runId: RunId;
  /** Position within the run, from 1 without gaps. */
  readonly seq: number;
  /** Wall clock in milliseconds since 1970. */
  readonly at: number;
}

/** One event as it is read: flat, so that one JSON line holds all of it. */
export type JournalEvent = EventEnvelope & EventBody;

/** The event of one type, for code that handles just that one. */
export type EventOf<Type extends EventType> = EventEnvelope & Extract<EventBody, { type: Type }>;
