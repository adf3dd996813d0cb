// What an agent is given by the one that spawns it, as the journal keeps it.
import { z } from 'zod';
import { ActKind } from './act.ts';
import { Verification } from './verification.ts';

/** What the agent may not do, beside all that whoever spawned it may not do. */
export const DeniedAct = z.strictObject({
  act: ActKind,
  pattern: z.string().min(1).max(500).describe('As in a permission rule: * any run of characters, ? one character.'),
});
export type DeniedAct = z.infer<typeof DeniedAct>;

const limit = z.int().positive().optional();

/** Of the agent with all that work for it. What is left out has no limit of its own, and steps have their default. */
export const AgentBudgets = z.strictObject({
  steps: limit.describe('Turns it may take; 12 by default.'),
  tokens: limit,
  costUsd: z.number().positive().optional(),
  wallMs: limit.describe('Milliseconds.'),
});
export type AgentBudgets = z.infer<typeof AgentBudgets>;

export const AgentTask = z.strictObject({
  goal: z.string().trim().min(1).max(20_000),
  verification: Verification,
  deny: z.array(DeniedAct),
  /** What the role that it was given tells it. */
  role: z.string().optional(),
});
export type AgentTask = z.infer<typeof AgentTask>;
