// What a fork takes over from the run it comes from: the conversation, where that came from, and what the agent knows of
// files. What was spent, asked, decided and remembered there stays there.
import type { EventOf } from './event.ts';
import { leaveOut, measureContext } from './fold-context.ts';
import type { AgentState, RunState } from './run-state.ts';

export function forkRun(state: RunState, agent: AgentState, event: EventOf<'run-fork'>): void {
  const { from, fromStep: step, spent, phase, claims, compactedBefore, leftOut, counted, label } = event;
  state.forkedFrom = { run: from, step, spent };
  agent.phase = { kind: phase };
  agent.claims = claims;
  agent.compactedBefore = compactedBefore;
  agent.leftOut = { before: leftOut ?? 0, turns: 0 }; // Counted when the conversation is there.
  agent.counted = counted === null ? null : { ...counted };
  agent.label = { ...label, origins: [...label.origins] };
}

/** They come in the order of the original, and nothing of them has to find its place. */
export function carryContext(agent: AgentState, { items, seen }: EventOf<'fork-context'>): void {
  agent.context.push(...items);
  agent.leftOut = leaveOut(agent.context, agent.leftOut.before);
  agent.contextBytes = measureContext(agent);
  for (const { path, hash } of seen) agent.files[path] = hash;
}
