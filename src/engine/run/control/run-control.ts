// What people say to a run and to each of its agents, from whichever process: it stands in the journal as a person's word,
// and whoever drives the run acts on it.
import { type RunId, rootAgentId } from '../../../shared/id.ts';
import type { BudgetWhich } from '../../../shared/outcome.ts';
import { createBlob } from '../../journal/create-blob.ts';
import { assertMayDecide, assertMayHoldBack } from '../assert-may-decide.ts';
import { assertRaisable } from './assert-raisable.ts';
import { assertPaused, assertUnderWay } from './assert-stands.ts';
import { assertSteer } from './assert-steer.ts';
import { type ControlSources, sayTo } from './say-to.ts';

/**
 * `agentId` null: the whole run, which is the same as its first agent. All of it rejects, with nothing changed, with
 * `run-unknown`, `run-imported`, `run-ended`, `agent-unknown`, `agent-ended` and `decision-refused`.
 */
export interface RunControl {
  /** Tells the agent something: it is shown that before its next request. Also rejects with `usage`. */
  steerAgent(runId: RunId, agentId: string | null, text: string, actor: string): Promise<void>;
  /**
   * Lets what is under way of the agent and of all that work for it come to its end, and nothing begin behind that. A run
   * that is paused as a whole ends, and goes on when it is resumed.
   */
  pauseRun(runId: RunId, agentId: string | null, actor: string): Promise<void>;
  /** Takes back the pause of one agent. Also rejects with `agent-not-paused`. */
  unpauseAgent(runId: RunId, agentId: string, actor: string): Promise<void>;
  /** Ends the agent for good, with all that work for it: no request of theirs leaves any more, and what they run is ended. */
  cancelRun(runId: RunId, actor: string, agentId?: string | null): Promise<void>;
  /** Sets another limit; null lifts it. Also rejects with `usage`, `unpriced` and `ceiling-spent`. */
  raiseCeiling(
    runId: RunId,
    agentId: string | null,
    budget: BudgetWhich,
    limit: number | null,
    actor: string,
  ): Promise<void>;
}

export function createRunControl(sources: ControlSources): RunControl {
  return {
    async steerAgent(runId, agentId, text, actor) {
      assertSteer(text);
      const content = createBlob(text.toWellFormed(), { origin: 'person', redactor: sources.redactor });
      await sayTo(sources, {
        ...{ runId, agentId },
        assertAllowed: assertMayDecide,
        toBody: (agent) => ({ type: 'run-steer', actor, content: content.ref, ...agent }),
        blobs: [content],
      });
    },
    pauseRun: (runId, agentId, actor) =>
      sayTo(sources, {
        ...{ runId, agentId },
        assertAllowed: assertMayHoldBack,
        assertFits: assertUnderWay,
        toBody: (agent) => ({ type: 'run-pause', actor, ...agent }),
      }),
    unpauseAgent: (runId, agentId, actor) =>
      sayTo(sources, {
        ...{ runId, agentId },
        assertAllowed: assertMayDecide,
        assertFits: assertPaused,
        toBody: ({ agent = rootAgentId }) => ({ type: 'agent-resume', actor, agent }),
      }),
    cancelRun: (runId, actor, agentId = null) =>
      sayTo(sources, {
        ...{ runId, agentId },
        assertAllowed: assertMayHoldBack,
        toBody: (agent) => ({ type: 'run-cancel', actor, ...agent }),
      }),
    raiseCeiling: (runId, agentId, budget, limit, actor) =>
      sayTo(sources, {
        ...{ runId, agentId },
        assertAllowed: assertMayDecide,
        assertFits: (state, agent) => assertRaisable(state, agent, { budget, limit }),
        toBody: (agent) => ({ type: 'ceiling-raise', actor, budget, limit, ...agent }),
      }),
  };
}
