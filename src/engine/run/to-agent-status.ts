// What one agent is doing, or why it does nothing.
import { budgetsOf, cancelledBy, hasEnded, hasLiveChildren, pathOf } from '../../shared/agent-tree.ts';
import type { AgentId } from '../../shared/id.ts';
import type { AgentState, CallState, RunState } from '../../shared/run-state.ts';
import type { AgentStatus } from '../../shared/run-tree.ts';
import { reserve } from '../budget/reserve.ts';
import { isUnderWay } from './plan.ts';

/** Who stands in a queue is not told by one agent's state, and so counts as at work here. */
export function toAgentStatus(state: RunState, agent: AgentState): AgentStatus {
  const outcome = agent.assignment === null ? state.outcome : (agent.ended?.outcome ?? null);
  if (outcome !== null) return { kind: 'ended', outcome };
  const cancelled = cancelledBy(state, agent);
  if (cancelled !== null) return { kind: 'cancelling', by: cancelled };
  const isBusy = state.outcome === null && isUnderWay(agent);
  const paused = findPauser(state, agent);
  if (paused !== null) return { kind: 'paused', by: paused, isBusy };
  if (isBusy) return toWorking(agent);
  return findWait(state, agent) ?? (state.outcome === null ? toWorking(agent) : { kind: 'resting' });
}

function findPauser(state: RunState, agent: AgentState): string | null {
  for (const { wishes } of pathOf(state, agent)) if (wishes.pausedBy !== null) return wishes.pausedBy;
  return state.wishes.pausedBy;
}

function toWorking({ check, phase }: AgentState): AgentStatus {
  if (check !== null || phase.kind === 'claiming') return { kind: 'working', at: 'check' };
  if (phase.kind !== 'acting') return { kind: 'working', at: 'model' };
  const open = phase.calls.filter(({ stage }) => stage.kind !== 'finished');
  return { kind: 'working', at: 'calls', tools: open.map(({ tool }) => tool) };
}

/** Null where it could go on. */
function findWait(state: RunState, agent: AgentState): AgentStatus | null {
  const { phase } = agent;
  switch (phase.kind) {
    case 'acting':
      return findWaitOfCalls(state, phase.calls);
    case 'claiming':
      return hasLiveChildren(state, agent) ? toWaitForAgents(state, agent.children) : null;
    case 'backing-off':
      return { kind: 'waiting', for: 'retry' };
    case 'ready':
      return findWaitOfRequest(state, agent);
    default:
      return null;
  }
}

function findWaitOfCalls(state: RunState, calls: readonly CallState[]): AgentStatus | null {
  const open = calls.filter(({ stage }) => stage.kind !== 'finished');
  const requests = open.flatMap(({ stage }) =>
    (stage.kind === 'waiting' || stage.kind === 'unsettled') && stage.answer === null ? [stage.request] : [],
  );
  const first = open[0]?.stage;
  if (first?.kind === 'held') {
    if (first.until.kind === 'mail') return { kind: 'waiting', for: 'messages' };
    const held = open.flatMap(({ stage }) =>
      stage.kind === 'held' && stage.until.kind === 'agents' ? stage.until.agents : [],
    );
    return toWaitForAgents(state, held);
  }
  return requests.length === 0 ? null : { kind: 'waiting', for: 'answer', requests };
}

function findWaitOfRequest(state: RunState, agent: AgentState): AgentStatus | null {
  const reserved = reserve(state, agent);
  const { steps } = budgetsOf(state, agent);
  const isSpent = reserved.kind === 'spent' || (steps !== null && agent.step >= steps);
  // What those that work for it do may still fulfil its task, so it ends at its budget only after them.
  if (isSpent && hasLiveChildren(state, agent)) return toWaitForAgents(state, agent.children);
  return reserved.kind === 'outstanding' ? { kind: 'waiting', for: 'room' } : null;
}

function toWaitForAgents(state: RunState, agents: readonly AgentId[]): AgentStatus | null {
  const open = agents.filter((agentId) => !hasEnded(state, agentId));
  return open.length === 0 ? null : { kind: 'waiting', for: 'agents', agents: open };
}
