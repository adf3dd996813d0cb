// What an agent has of its own where its calls and checks are concerned: its task, the tools that were delegated to it, and its
// check. The root has those of the run.
import { agentOf } from '../../../shared/find-in-run.ts';
import type { AgentId } from '../../../shared/id.ts';
import { createRunChecker, type RunCheckerOptions } from '../create-run-checker.ts';
import type { AgentCallPorts } from '../driver-ports.ts';
import { readAgentTask } from '../stance.ts';

export interface AgentCallPortsOptions {
  /** What the root has. */
  readonly root: Pick<AgentCallPorts, 'contract' | 'tools'>;
  readonly reader: Parameters<typeof readAgentTask>[0];
  readonly checker: Omit<RunCheckerOptions, 'agentId'>;
}

export function toAgentCallPorts(
  { root, reader, checker }: AgentCallPortsOptions,
  agentId: AgentId,
): Omit<AgentCallPorts, 'processes'> {
  const { assignment } = agentOf(checker.stateOf(), { agentId });
  const { check } = createRunChecker({ ...checker, agentId });
  if (assignment === null) return { ...root, check };
  const { goal, verification } = readAgentTask(reader, assignment.task);
  const { budgets } = assignment;
  return {
    contract: { ...root.contract, goal, verification, budgets },
    tools: new Map([...root.tools].filter(([name]) => assignment.tools.includes(name))),
    check,
  };
}
