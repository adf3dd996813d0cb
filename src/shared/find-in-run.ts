// Finding things in a run's state. What must be there and is not is a fault, not a case.
import type { EventPlace } from './event.ts';
import type { AgentState, CallState, RunState } from './run-state.ts';

/** The agent a place names. */
export function agentOf(state: RunState, { agentId }: Pick<EventPlace, 'agentId'>): AgentState {
  const agent = state.agents[agentId];
  if (agent === undefined) throw new RangeError(`Run ${state.runId} has no agent ${agentId}`);
  return agent;
}

/** An open call of the agent's current step. */
export function callOf({ agentId, phase, step }: AgentState, position: number): CallState {
  const call = phase.kind === 'acting' ? phase.calls[position] : undefined;
  if (call === undefined) throw new RangeError(`${agentId} has no open call ${position} in step ${step}`);
  return call;
}
