// The task contract: the one thing a caller hands over. This is the wire form that scripts rely on; unknown keys are
// refused, because a misspelt limit must never read as "no limit".
import { z } from 'zod';
import { DeniedAct } from './agent-task.ts';
import { RecoveryPolicy } from './recovery.ts';
import { Verification } from './verification.ts';

const limit = z.int().positive().nullable();

/** What may be spent. A key left out has its default; null means no limit. */
export const Budgets = z.strictObject({
  /** Trips round the loop; one model reply is one step. */
  steps: limit.default(12),
  /** Active wall time in milliseconds, summed over restarts. */
  wallMs: limit.default(null),
  /** Input and output tokens over all requests. */
  tokens: limit.default(null),
  costUsd: z.number().positive().nullable().default(null),
  /** Failed attempts that may be repeated for one reply. */
  retries: z.int().nonnegative().nullable().default(2),
  /** Started acts whose verdict was ask, whoever answered. */
  riskyActs: z.int().nonnegative().nullable().default(null),
});
export type Budgets = z.infer<typeof Budgets>;
export type BudgetName = keyof Budgets;

/** A part that spawned agents can be given by its name. */
export const AgentRole = z.strictObject({
  /** Told to the agent, word for word. */
  instructions: z.string().trim().min(1),
  /** Of those that whoever spawns it has; left out: all of them. */
  tools: z.array(z.string().min(1)).optional(),
  /** What it may not do, beside what whoever spawns it may not. */
  deny: z.array(DeniedAct).default([]),
  /** Left out: that of the run. */
  model: z.string().min(1).optional(),
});
export type AgentRole = z.infer<typeof AgentRole>;

/** What agents that work for the one with the contract are held to. Without it there are none. */
export const Containment = z.strictObject({
  /** Agents in the whole tree, the first one included, however they ended. */
  total: z.int().positive().default(16),
  /** Of those that were spawned: how many are at work at once. One that waits is not at work. */
  concurrent: z.int().positive().default(4),
  /** How many generations stand below the first one. */
  depth: z.int().positive().default(1),
  /** Ceilings of the whole tree; where `budgets` says less, that counts. */
  tokens: limit.default(null),
  costUsd: z.number().positive().nullable().default(null),
  wallMs: limit.default(null),
  /** Models that may be named for spawned agents beside the run's own. */
  models: z.array(z.string().min(1)).default([]),
  roles: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,39}$/), AgentRole).default({}),
});
export type Containment = z.infer<typeof Containment>;

/** What of it is counted and compared: the words of the roles stay in the contract. */
export const TreeCaps = Containment.omit({ roles: true });
export type TreeCaps = z.infer<typeof TreeCaps>;

const reserved = (name: string) =>
  z.undefined({ error: `"${name}" is a reserved name: this version cannot honour it, so it is refused` }).optional();

export const TaskContract = z.strictObject({
  goal: z.string().trim().min(1),
  /** Absolute path of the directory the agent works in. */
  workspace: z
    .string()
    .min(1)
    .refine((path) => /^(\/|[A-Za-z]:[\\/])/.test(path), 'must be an absolute path'),
  /** A file the goal is about, relative to the workspace; told to the model, no limit on what it may touch. */
  file: z.string().min(1).nullable().default(null),
  /** Shown to the model word for word. */
  constraints: z.array(z.string().min(1)).default([]),
  expectedOutput: z.string().nullable().default(null),
  verification: Verification.default({ kind: 'none' }),
  budgets: Budgets.prefault({}),
  /** Patterns of paths that stay as they are, in the language of policy rules. */
  protect: z.array(z.string().min(1)).default([]),
  /** Nothing is written, run or remembered before a person has approved a plan that the model proposes. */
  plan: z.boolean().default(false),
  /**
   * Who settles a call that a crash interrupted and of which nobody can know whether it took effect: a person (`ask`), or the
   * model, which is told so. Null: a person where questions wait for people, else the model.
   */
  recovery: RecoveryPolicy.nullable().default(null),
  model: z.string().min(1).nullable().default(null),
  provider: z.string().min(1).nullable().default(null),
  /** Null: the agent works alone. */
  containment: Containment.nullable().default(null),
  mcp: reserved('mcp'),
});
export type TaskContract = z.infer<typeof TaskContract>;
/** What a caller may write: everything with a default may be left out. */
export type TaskContractInput = z.input<typeof TaskContract>;
