// What people say to the agents of a simulated run, and are asked by them: by chance, to any agent that is at work.
import type { EventBody } from '../../src/shared/event.ts';
import type { AgentId } from '../../src/shared/id.ts';
import type { AgentState, RunState } from '../../src/shared/run-state.ts';
import { decision, fakeBlob, pick } from './simulate-run.ts';

export function agentOf(state: RunState, agentId: AgentId): AgentState {
  const agent = state.agents[agentId];
  if (agent === undefined) throw new Error(`There is no agent ${agentId}`);
  return agent;
}

export function callOf(state: RunState, agentId: AgentId, call: number) {
  const { phase } = agentOf(state, agentId);
  const found = phase.kind === 'acting' ? phase.calls[call] : undefined;
  if (found === undefined) throw new Error(`${agentId} has no call ${call}`);
  return found;
}

export function raiseRequest(state: RunState, agentId: AgentId, call: number): EventBody {
  const round = callOf(state, agentId, call).rounds + 1;
  const request = `${agentId}:${agentOf(state, agentId).step}:${call}:${round}`;
  return { type: 'approval-request', call, request, act: 'write', target: 'a', because: 'by chance', round };
}

function listWaiting({ phase }: AgentState): string[] {
  return (phase.kind === 'acting' ? phase.calls : []).flatMap(({ stage }) =>
    stage.kind === 'waiting' && stage.answer === null ? [stage.request] : [],
  );
}

export function decideOne(state: RunState, agentId: AgentId, random: () => number): EventBody[] {
  const waiting = listWaiting(agentOf(state, agentId));
  return waiting.length === 0 ? [] : [decision(pick(waiting, random), random)];
}

/** To an agent that is at work, or about a question of it. */
export function sayAnything(state: RunState, random: () => number): EventBody[] {
  const live = Object.values(state.agents).filter(({ ended }) => ended === null);
  const { agentId, assignment } = pick(live, random);
  const waiting = live.flatMap(listWaiting);
  if (waiting.length > 0 && random() < 0.6) return [decision(pick(waiting, random), random)];
  const said = { actor: 'person:by-chance', agent: agentId };
  if (random() < 0.3) return [{ type: 'run-steer', ...said, content: fakeBlob('steer') }];
  if (random() < 0.5) return [raise(state, agentId, random)];
  if (assignment === null) return random() < 0.1 ? [{ type: 'run-pause', ...said }] : [];
  if (random() < 0.4) return [{ type: 'run-cancel', ...said }];
  return [{ type: random() < 0.5 ? 'run-pause' : 'agent-resume', ...said }];
}

function raise(state: RunState, agentId: AgentId, random: () => number): EventBody {
  const { assignment } = agentOf(state, agentId);
  const { steps, tokens } = assignment?.budgets ?? state.settings.budgets;
  const [budget, limit] = random() < 0.5 ? (['steps', steps] as const) : (['tokens', tokens] as const);
  const more = limit === null ? null : limit + Math.floor(random() * (budget === 'steps' ? 3 : 5000));
  return { type: 'ceiling-raise', actor: 'person:by-chance', agent: agentId, budget, limit: more };
}
