// What is shown while it happens and never journaled: the journal has the whole once it is there.
import { z } from 'zod';
import { AgentId, RunId } from './id.ts';

const place = { runId: RunId, agentId: AgentId, step: z.int().nonnegative() };

export const LiveUpdate = z.discriminatedUnion('type', [
  z.strictObject({ ...place, type: z.literal('text-delta'), text: z.string() }),
  z.strictObject({ ...place, type: z.literal('reasoning-delta'), text: z.string() }),
  /** Arguments of a call are arriving; `characters` is how many so far. */
  z.strictObject({
    ...place,
    type: z.literal('call-delta'),
    call: z.int().nonnegative(),
    tool: z.string(),
    characters: z.int().nonnegative(),
  }),
]);
export type LiveUpdate = z.infer<typeof LiveUpdate>;
