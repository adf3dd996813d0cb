// wait_agents: waits for agents that were spawned detached, and tells how they ended.
import { z } from 'zod';
import { lookingAct } from '../process/process-id.ts';
import type { Tool } from '../tool.ts';

const WaitAgentsArguments = z.strictObject({
  agents: z.array(z.string()).min(1).max(1000).describe('As spawn_agent has named them.'),
  seconds: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('Wait at most so long; without it until all have ended.'),
});
type WaitAgentsArguments = z.infer<typeof WaitAgentsArguments>;

export const waitAgents: Tool<WaitAgentsArguments> = {
  name: 'wait_agents',
  description: 'Waits until agents that you have spawned detached have ended, and tells what each of them reports.',
  arguments: WaitAgentsArguments,
  kind: 'write',
  target: ({ agents }) => agents.join(' '),
  acts: () => [lookingAct],
  prepare: async (args) => toAgentsWait(args),
};

export const toAgentsWait = ({ agents, seconds }: WaitAgentsArguments) =>
  ({
    kind: 'hold',
    until: { kind: 'agents', agents },
    ms: seconds === undefined ? null : seconds * 1000,
  }) as const;
