// What the scripted model is told at its start, and what it tells of each request.
import { z } from 'zod';
import { ProfileName } from './profiles.ts';

export const ServerSettings = z.strictObject({
  profile: ProfileName,
  /** How many calls it asks for before its closing words. */
  steps: z.int().positive(),
  /** `mix`: read, write and run in turn. `append`: each step appends its number to a file. */
  script: z.enum(['mix', 'append']),
  /** Directory that the calls are about. */
  workspace: z.string(),
  /** Before each answer. */
  latencyMs: z.number().nonnegative(),
});
export type ServerSettings = z.infer<typeof ServerSettings>;

const Answered = z.object({
  /** `main`: a step of the task. `aux`: whatever else a client asks its model, such as a title. `other`: no model was asked. */
  kind: z.enum(['main', 'aux', 'other']),
  conversation: z.string(),
  /** How many results of calls the request holds: the step that its answer begins. */
  position: z.int(),
  /** Steps whose result the call did not give, such as a stand-in for one that was cut off. */
  standIns: z.array(z.int()),
  requestBytes: z.int(),
  /** The headers were there; milliseconds since the epoch. */
  arrivedAt: z.number(),
  /** The last byte of the answer was handed over. */
  finishedAt: z.number(),
});
export type AnsweredRequest = z.infer<typeof Answered>;

const Arrived = Answered.omit({ finishedAt: true });
export type ArrivedRequest = z.infer<typeof Arrived>;

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), port: z.int() }),
  z.object({ type: z.literal('arrived'), request: Arrived }),
  z.object({ type: z.literal('answered'), request: Answered }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
