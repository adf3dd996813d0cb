// What going back to a point means for the agents that work for the root: which of them end with it, and what the root has been
// told by them since. Nobody can go back into the middle of their work, so that whoever was at work then ends as well.
import { agentOf } from '../../../shared/find-in-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { RewindAim } from '../../../shared/rewind.ts';
import type { AgentState, Mail, RunState } from '../../../shared/run-state.ts';

type TreeAim = Pick<Extract<RewindAim, { kind: 'step' }>, 'ended' | 'untold' | 'mail'>;

/** `then`: the run as it stood at that point. Of a run without other agents there is nothing to say. */
export function toTreeAim(then: RunState, now: RunState): TreeAim {
  const spawned = Object.values(now.agents).filter(({ assignment }) => assignment !== null);
  if (spawned.length === 0) return {};
  const isOver = ({ agentId }: AgentState): boolean => (then.agents[agentId]?.ended ?? null) !== null;
  const untold = spawned.filter(
    (agent) => isOver(agent) && isCollected(agent) && !isCollected(then.agents[agent.agentId]),
  );
  return {
    ended: spawned.filter((agent) => !isOver(agent)).map(({ agentId }) => agentId),
    untold: untold.map(({ agentId }) => agentId),
    mail: agentOf(then, { agentId: rootAgentId }).mailbox.map(toMail),
  };
}

const isCollected = (agent: AgentState | undefined): boolean => agent?.assignment?.isCollected === true;

const toMail = ({ from, content }: Mail) => ({ from, content });
