// Finding things in a run's state. What must be there and is not is a fault, not a case.
import type { EventPlace } from './event.ts';
import { AgentId } from './id.ts';
import type { AgentState, CallState, RunState } from './run-state.ts';

/** The agent a place names. */
export function agentOf(state: RunState, { agentId }: Pick<EventPlace, 'agentId'>): AgentState {
  const agent = state.agents[agentId];
  if (agent === undefined) throw new RangeError(`Run ${state.runId} has no agent ${agentId}`);
  return agent;
}

/** The agent that somebody means, who may say anything: also what every object has, as `constructor`. */
export function findAgent({ agents }: RunState, name: string): AgentState | undefined {
  const agentId = AgentId.safeParse(name);
  return agentId.success && Object.hasOwn(agents, agentId.data) ? agents[agentId.data] : undefined;
}

/** The calls that agents are in, but for those that have ended: nobody waits for anything of these. */
export const openCallsOf = ({ agents }: RunState): CallState[] =>
  Object.values(agents).flatMap(({ phase, ended }) => (ended === null && phase.kind === 'acting' ? phase.calls : []));

/** An open call of the agent's current step. */
export function callOf({ agentId, phase, step }: AgentState, position: number): CallState {
  const call = phase.kind === 'acting' ? phase.calls[position] : undefined;
  if (call === undefined) throw new RangeError(`${agentId} has no open call ${position} in step ${step}`);
  return call;
}
