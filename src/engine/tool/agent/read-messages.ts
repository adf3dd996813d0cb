// read_messages: what other agents have said, and the wait for it.
import { z } from 'zod';
import { lookingAct } from '../process/process-id.ts';
import type { Tool } from '../tool.ts';

const ReadMessagesArguments = z.strictObject({
  seconds: z.number().nonnegative().max(3600).default(0).describe('Wait at most so long while there is none.'),
});
type ReadMessagesArguments = z.infer<typeof ReadMessagesArguments>;

export const readMessages: Tool<ReadMessagesArguments> = {
  name: 'read_messages',
  description: 'Tells what other agents have said to you and you have not read yet.',
  arguments: ReadMessagesArguments,
  kind: 'write',
  target: () => '',
  acts: () => [lookingAct],
  prepare: async (args) => toMailWait(args),
};

export const toMailWait = ({ seconds }: ReadMessagesArguments) =>
  ({ kind: 'hold', until: { kind: 'mail' }, ms: seconds * 1000 }) as const;
