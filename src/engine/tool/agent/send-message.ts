// send_message: says something to another agent of the tree.
import { z } from 'zod';
import { lookingAct } from '../process/process-id.ts';
import type { Tool } from '../tool.ts';

const SendMessageArguments = z.strictObject({
  to: z.string().min(1).max(512).describe('The name of an agent; "parent" for the one that gave you your task.'),
  text: z.string().trim().min(1).max(20_000),
});
type SendMessageArguments = z.infer<typeof SendMessageArguments>;

export const sendMessage: Tool<SendMessageArguments> = {
  name: 'send_message',
  description: 'Says something to another agent that works on the same task. It reads it with read_messages.',
  arguments: SendMessageArguments,
  kind: 'write',
  target: ({ to }) => to,
  acts: () => [lookingAct],
  prepare: async (args) => toMailCall(args),
};

export const toMailCall = ({ to, text }: SendMessageArguments) => ({ kind: 'mail', to, text }) as const;
