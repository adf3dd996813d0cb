// Whether a pause, or the end of one, would mean anything as a run stands.
import { pathOf } from '../../../shared/agent-tree.ts';
import { EngineError } from '../../../shared/engine-error.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';

/** Throws `run-ended` where the whole run is to be paused and is not under way: it goes on only when it is resumed. */
export function assertUnderWay({ runId, outcome }: RunState, { assignment }: AgentState): void {
  if (assignment !== null || outcome === null) return;
  throw new EngineError('run-ended', `Run ${runId} is not under way (${outcome.kind}), so it cannot be paused.`, {
    remedy: `It stays as it is until "io-studio resume ${runId}".`,
  });
}

/** Throws `agent-not-paused`, and names whoever above it is. */
export function assertPaused(state: RunState, agent: AgentState): void {
  const { runId } = state;
  const { agentId, assignment } = agent;
  if (assignment === null) {
    throw new EngineError('agent-not-paused', `${agentId} is the whole run, whose pause ends it.`, {
      remedy: `Go on with "io-studio resume ${runId}".`,
    });
  }
  if (agent.wishes.pausedBy !== null) return;
  const above = [...pathOf(state, agent)].find(({ wishes }) => wishes.pausedBy !== null);
  throw new EngineError('agent-not-paused', `${agentId} of run ${runId} was not paused itself.`, {
    remedy:
      above === undefined
        ? `See how it stands with "io-studio tree ${runId}".`
        : `It works for ${above.agentId}, which was: "io-studio unpause ${runId} --agent ${above.agentId}".`,
  });
}
