// What a spawned agent works with: the tools that were delegated to it, its own model where it was given one, processes and a
// check of its own.
import { worktreeOf } from '../../shared/agent-tree.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import { type AgentCallPortsOptions, toAgentCallPorts } from '../run/agents/to-agent-call-ports.ts';
import type { AgentPorts } from '../run/driver-ports.ts';
import { createProcesses } from '../tool/process/processes.ts';
import { toToolSpecs } from '../tool/to-tool-spec.ts';
import type { WorktreeGuards } from './worktree-guards.ts';

export interface AgentOpenerOptions extends AgentCallPortsOptions {
  /** Null: the model of the run. Whoever opened it closes it. */
  readonly openModel: (model: string | null) => ModelProvider;
  readonly guards: Pick<WorktreeGuards, 'of'>;
}

export function createAgentOpener({ openModel, guards, ...options }: AgentOpenerOptions) {
  return (agentId: AgentId): AgentPorts => {
    const state = options.checker.stateOf();
    const agent = agentOf(state, { agentId });
    const { assignment } = agent;
    if (assignment === null) throw new RangeError(`${agentId} was not spawned`);
    const guard = guards.of(worktreeOf(state, agent));
    const ports = toAgentCallPorts({ ...options, checker: { ...options.checker, guard } }, agentId);
    return {
      ...ports,
      guard,
      provider: openModel(assignment.model),
      toolSpecs: toToolSpecs(ports.tools.values()),
      processes: createProcesses(),
    };
  };
}
