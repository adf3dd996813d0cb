// A role is a part that the contract has written down for spawned agents: words, and what they are held to. Whoever spawns can
// narrow it, and nothing else.
import type { AgentRole, TaskContract } from '../../../shared/task-contract.ts';
import type { SpawnCall } from './agent-call.ts';

export type RoleSource = Pick<TaskContract, 'containment'>;

/** What is asked for once its role is filled in; as it is where it names none, or none that there is. */
export function withRole(wish: SpawnCall, contract: RoleSource): SpawnCall {
  const role = wish.role === null ? undefined : findRole(contract, wish.role);
  if (role === undefined) return wish;
  const { instructions, tools = null, deny, model = null } = role;
  return {
    ...wish,
    task: { ...wish.task, role: instructions, deny: [...deny, ...wish.task.deny] },
    tools: narrow(tools, wish.tools),
    model: wish.model ?? model,
  };
}

export const findRole = ({ containment }: RoleSource, name: string): AgentRole | undefined =>
  Object.entries(containment?.roles ?? {}).find(([known]) => known === name)?.[1];

function narrow(ofRole: readonly string[] | null, wished: readonly string[] | null): readonly string[] | null {
  if (ofRole === null || wished === null) return ofRole ?? wished;
  return wished.filter((name) => ofRole.includes(name));
}
