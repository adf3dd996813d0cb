// Whether people have taken back, up to this moment, that an agent goes on. Asked right before what cannot be taken back.
import { cancelledBy, isPaused, isWithin } from '../../shared/agent-tree.ts';
import type { JournalEvent } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { type AgentId, rootAgentId } from '../../shared/id.ts';
import type { DriverPorts } from './driver-ports.ts';

type Sources = Pick<DriverPorts, 'recorder' | 'reader'>;

/** Also by a word that stands in the journal and is not folded yet. */
export function isWithdrawn({ recorder, reader }: Sources, agentId: AgentId): boolean {
  const { state, durableSeq } = recorder;
  const agent = agentOf(state, { agentId });
  if (cancelledBy(state, agent) !== null || isPaused(state, agent)) return true;
  const head = reader.readHead(state.runId);
  for (let seq = durableSeq; seq < head; ) {
    const news = reader.readEvents(state.runId, seq, batchSize);
    if (news.some((event) => withdraws(event, agentId))) return true;
    seq = news.at(-1)?.seq ?? head;
  }
  return false;
}

const batchSize = 200;

function withdraws(event: JournalEvent, agentId: AgentId): boolean {
  if (event.type !== 'run-cancel' && event.type !== 'run-pause') return false;
  return isWithin(agentId, event.agent ?? rootAgentId);
}
