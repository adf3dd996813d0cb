// propose_plan: shows a person what is to be done. The call does nothing: it is carried out by their approval, and until
// then nothing is written, run or sent.
import { z } from 'zod';
import type { Tool, ToolResult } from './tool.ts';

const ProposePlanArguments = z.strictObject({
  plan: z.string().trim().min(1).describe('What is to be changed and run, step by step, and how it will be checked.'),
});
type ProposePlanArguments = z.infer<typeof ProposePlanArguments>;

const approved: ToolResult = { status: 'ok', text: 'The plan was approved; go on.', origin: 'engine', seen: [] };

export const proposePlan: Tool<ProposePlanArguments> = {
  name: 'propose_plan',
  description:
    'Shows a plan to a person and waits for their approval. Look at the workspace first; until a plan is approved nothing ' +
    'can be written or run.',
  arguments: ProposePlanArguments,
  kind: 'plan',
  target: ({ plan }) => plan.split('\n', 1)[0] ?? plan,
  acts: () => [],
  prepare: async ({ plan }) => ({ kind: 'plan', text: plan, result: approved }),
};
