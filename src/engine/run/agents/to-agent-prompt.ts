// The words that a spawned agent begins with. It sees nothing of the conversation of the one that gives it its task.
import type { AgentTask } from '../../../shared/agent-task.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { Budgets } from '../../../shared/task-contract.ts';
import { describeVerification } from '../../contract/describe-verification.ts';

export function toAgentPrompt(
  { goal, verification, deny, role }: AgentTask,
  parent: AgentId,
  child: AgentId,
  { steps }: Budgets,
  isApart: boolean,
): string {
  const parts = [
    `Task:\n${goal}`,
    `You are the agent ${child}. Another agent, ${parent}, has given you this task and reads what you answer at its end. ${isApart ? apart : shared}`,
    role === undefined ? null : `Your role:\n${role}`,
    verification.kind === 'none' ? null : describeVerification(verification),
    deny.length === 0 ? null : `Not allowed here:\n${deny.map(({ act, pattern }) => `- ${act} ${pattern}`).join('\n')}`,
    steps === null ? null : `You have at most ${steps} turns.`,
  ];
  return parts.filter((part) => part !== null).join('\n\n');
}

const shared = 'Others may work in the same workspace at the same time.';
const apart =
  'You work in a copy of the workspace that nobody else changes. When you are done, the files that you have changed are changed in the workspace in the same way; git does not work here.';
