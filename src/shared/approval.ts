// What a person is asked, and what they may answer. The description of a request is a blob of the journal; the digest over
// everything that will happen ties an answer to exactly what was shown.
import { z } from 'zod';
import { ActKind, Effect, LayerOrigin, ResolvedAct, Verdict } from './act.ts';

/** For how long a remembered rule holds: this run, this workspace, or everything this person runs. */
export const RememberScope = z.enum(['run', 'project', 'user']);
export type RememberScope = z.infer<typeof RememberScope>;

/** A rule that a person had remembered, together with how strongly commands were enclosed when they did. */
export const RememberedRule = z.strictObject({
  act: ActKind,
  effect: z.enum(['allow', 'deny']),
  pattern: z.string(),
  /** The weakest isolation under which it still holds; absent for acts that no sandbox encloses. */
  isolation: z.string().optional(),
});
export type RememberedRule = z.infer<typeof RememberedRule>;

export const Remember = z.strictObject({ scope: RememberScope, rule: RememberedRule });
export type Remember = z.infer<typeof Remember>;

/** A file that the act depends on, as it was when the request was made; null: nothing was there. */
export const NamedFile = z.strictObject({ path: z.string(), hash: z.string().nullable() });
export type NamedFile = z.infer<typeof NamedFile>;

const LabelSourceShape = z.strictObject({
  origin: z.string(),
  target: z.string(),
  step: z.int().nonnegative(),
  /** The agents through which it came, the nearest first; absent where the agent was shown it itself. */
  via: z.array(z.string()).optional(),
});

/** Everything a person needs in order to answer, as JSON in the journal. Secrets in it are masked. */
export const RequestDetails = z.strictObject({
  tool: z.string(),
  /** First line of the run's goal. */
  goal: z.string(),
  workspace: z.string(),
  /** Every act of the call, in the order in which they would happen; none for a plan. */
  acts: z.array(z.strictObject({ act: ResolvedAct, verdict: Verdict })),
  /** Of the arguments as the model wrote them, and of the content that would be written; null where nothing would. */
  argumentsHash: z.string(),
  /** The arguments themselves, as JSON with secrets masked: what a rewrite begins with. */
  arguments: z.string(),
  contentHash: z.string().nullable(),
  /** Exactly what would be written or run: a unified diff, the whole content, or the command line. */
  content: z.strictObject({ kind: z.enum(['diff', 'text', 'command', 'plan']), text: z.string() }),
  /** Names of the environment variables a command would get. */
  environment: z.array(z.string()),
  /** Files the act depends on: what would be replaced, programs, files named on a command line. */
  files: z.array(NamedFile),
  /** What the agent was shown before that makes the act worth a second look; null for neither. */
  untrusted: LabelSourceShape.nullable(),
  sensitive: LabelSourceShape.nullable(),
  /** How strongly a command would be enclosed. */
  isolation: z.string(),
  /** Rules that would answer this and the like of it from now on; empty where none is narrow enough. */
  proposals: z.array(z.strictObject({ act: ActKind, pattern: z.string() })),
  /** What is different from the request that lapsed before this one; empty for a first request. */
  differences: z.array(z.string()),
});
export type RequestDetails = z.infer<typeof RequestDetails>;

export const ApprovalChoice = z.enum(['approve', 'deny', 'defer']);
export type ApprovalChoice = z.infer<typeof ApprovalChoice>;

/** What a remembered rule would have meant for the acts of earlier runs, and what it would newly allow. */
export const RulePreview = z.strictObject({
  /** Earlier acts it matches, newest first, at most a few. */
  matched: z.array(z.strictObject({ run: z.string(), act: ActKind, target: z.string(), effect: Effect })),
  matchedCount: z.int().nonnegative(),
  /** Of these, those that were not allowed then and would be from now on. */
  newlyAllowed: z.int().nonnegative(),
  origin: LayerOrigin,
});
export type RulePreview = z.infer<typeof RulePreview>;
