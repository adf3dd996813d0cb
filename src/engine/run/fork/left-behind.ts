// What a fork does not take along: other agents work for the run that it comes from, and what they say is said to that one.
import { agentOf } from '../../../shared/find-in-run.ts';
import { type AgentId, rootAgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';

export interface LeftBehind {
  /** Agents that it had spawned, and had not been told how they ended. */
  readonly agents: readonly AgentId[];
  /** Messages that it had not read. */
  readonly mail: number;
}

export function findLeftBehind(state: RunState): LeftBehind {
  const { children, mailbox } = agentOf(state, { agentId: rootAgentId });
  const agents = children.filter((agentId) => agentOf(state, { agentId }).assignment?.isCollected === false);
  return { agents, mail: mailbox.length };
}
