// How agents come to be, are told things, and end. The place of an event names the agent it is about: for a spawn that is
// the one that asked for it.
import { z } from 'zod';
import { AgentWorktree } from '../agent-worktree.ts';
import { BlobRef } from '../blob-ref.ts';
import { AgentId } from '../id.ts';
import { RunOutcome } from '../outcome.ts';
import { Budgets } from '../task-contract.ts';
import { Price } from '../usage.ts';
import { count, ms } from './units.ts';

export const agentEvents = [
  z.strictObject({
    type: z.literal('agent-spawn'),
    /** The call that asked for it: with the asking agent and its step it is the identity of the new one. */
    call: count,
    child: AgentId,
    /** The first line of its goal, for lists. */
    title: z.string(),
    /** The whole task as JSON. */
    task: BlobRef,
    verification: z.string(),
    budgets: Budgets,
    /** The tools that were delegated to it, in the order in which it is told of them. */
    tools: z.array(z.string()),
    toolBytes: count,
    /** Absent: that of the run. */
    model: z.string().optional(),
    price: Price.nullable(),
    system: BlobRef,
    prompt: BlobRef,
    /** The call does not wait for it. */
    detached: z.literal(true).optional(),
    /** Where it works; absent: where the one works that asked for it. */
    worktree: AgentWorktree.optional(),
    activeMs: ms,
  }),
  z.strictObject({
    type: z.literal('agent-finish'),
    outcome: RunOutcome,
    /** What it leaves to be told, in the words of the agent and of the engine. */
    report: BlobRef,
    activeMs: ms,
  }),
  z.strictObject({
    type: z.literal('call-hold'),
    call: count,
    /** What the call waits for: that these agents end, or that mail comes. */
    until: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('agents'), agents: z.array(AgentId).min(1) }),
      z.strictObject({ kind: z.literal('mail') }),
    ]),
    /** Active time of the run at which it waits no longer; null: as long as it takes. */
    untilActiveMs: ms.nullable(),
  }),
  z.strictObject({
    type: z.literal('mail-send'),
    call: count,
    to: AgentId,
    content: BlobRef,
  }),
] as const;
