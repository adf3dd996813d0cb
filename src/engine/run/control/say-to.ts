// One way for every word to a run: whoever says it may, the agent is there and not at its end, and what is said fits how it
// stands. Everything that could be wrong is found before anything is written.
import { EngineError } from '../../../shared/engine-error.ts';
import type { PersonEventBody } from '../../../shared/event.ts';
import { agentOf, findAgent } from '../../../shared/find-in-run.ts';
import { type AgentId, type RunId, rootAgentId } from '../../../shared/id.ts';
import { isFinal } from '../../../shared/outcome.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';
import type { Journal, JournalReader, NewBlob } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import { assertAdopted } from '../assert-adopted.ts';
import { foldAll } from '../recorder.ts';

export interface ControlSources {
  readonly open: () => Promise<Journal>;
  readonly redactor: Redactor;
}

export interface Saying {
  readonly runId: RunId;
  /** Null: the whole run. */
  readonly agentId: string | null;
  /** Who may say it. */
  readonly assertAllowed: (reader: JournalReader, state: RunState) => void;
  readonly assertFits?: (state: RunState, agent: AgentState) => void;
  /** Given nothing where it is about the whole run. */
  readonly toBody: (about: { readonly agent?: AgentId }) => PersonEventBody;
  readonly blobs?: readonly NewBlob[];
}

export async function sayTo({ open }: ControlSources, saying: Saying): Promise<void> {
  const { runId, agentId, assertAllowed, assertFits, toBody, blobs = [] } = saying;
  const { reader, writer } = await open();
  const state = foldAll(reader, { runId }, null, 0);
  assertAdopted(state);
  assertAllowed(reader, state);
  const agent = requireAgent(state, agentId ?? rootAgentId);
  assertOpen(state, agent);
  assertFits?.(state, agent);
  const body = toBody(agent.assignment === null ? {} : { agent: agent.agentId });
  const event = { agentId: agent.agentId, step: agent.step, at: Date.now(), body, subject: null };
  const appended = await writer.appendPerson(runId, event, blobs);
  if (appended.kind === 'already') return;
  // It may have ended in the moment before: then what was said means nothing, and whoever said it is told so.
  const before = foldAll(reader, { runId }, state, state.seq, appended.seq - 1);
  assertOpen(before, agentOf(before, agent));
}

const namedAgents = 10;

function requireAgent(state: RunState, name: string): AgentState {
  const agent = findAgent(state, name);
  if (agent !== undefined) return agent;
  const names = Object.keys(state.agents);
  const more = names.length > namedAgents ? ` and ${names.length - namedAgents} more` : '';
  throw new EngineError('agent-unknown', `Run ${state.runId} has no agent ${JSON.stringify(name)}.`, {
    remedy: `It has ${names.slice(0, namedAgents).join(', ')}${more}; see "io-studio tree ${state.runId}".`,
  });
}

function assertOpen({ runId, outcome }: RunState, { agentId, ended }: AgentState): void {
  if (outcome !== null && isFinal(outcome)) {
    throw new EngineError('run-ended', `Run ${runId} is over (${outcome.kind}): nothing was changed.`, {
      remedy: `Read it with "io-studio trace ${runId}", or take it back with "io-studio rewind ${runId}".`,
    });
  }
  if (ended === null) return;
  throw new EngineError(
    'agent-ended',
    `${agentId} of run ${runId} has ended (${ended.outcome.kind}): nothing was changed.`,
    { remedy: `See who is at work with "io-studio tree ${runId}", and say it to one of those.` },
  );
}
