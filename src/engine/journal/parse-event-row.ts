// Turns a stored row into an event. Rows were checked against the whole schema before they were written, so reading checks
// what can have changed since: that this engine knows the type and the version. Checking all of it again would triple the
// time to open a long run and find nothing.
import { EngineError } from '../../shared/engine-error.ts';
import { EventBody, type EventEnvelope, type EventType, type JournalEvent } from '../../shared/event.ts';
import { AgentId, type RunId } from '../../shared/id.ts';
import { type EventRow, eventVersion } from './event-row.ts';
import { createStoreError } from './store-error.ts';

/** The event in `row`. Throws `store-newer` for a type or version from a newer engine, `store-damaged` for broken JSON. */
export function parseEventRow(row: EventRow, runId: RunId, file: string): JournalEvent {
  const [seq, agent, step, at, version, body] = row;
  const event = parseBody(body, seq, runId, file);
  if (version > eventVersion || !knownTypes.has(event.type)) throw createNewerEventError(row, event.type, runId, file);
  event.runId = runId;
  event.agentId = toAgentId(agent);
  event.step = step;
  event.seq = seq;
  event.at = at;
  return event;
}

const knownTypes: ReadonlySet<string> = new Set<EventType>(EventBody.options.map((option) => option.shape.type.value));

/** A body that gets its envelope in place: copying tens of thousands of objects would cost as much as parsing them. */
type EventDraft = { -readonly [Key in keyof EventEnvelope]: EventEnvelope[Key] } & EventBody;

function parseBody(body: string, seq: number, runId: RunId, file: string): EventDraft {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw createStoreError('store-damaged', file, `event ${seq} of ${runId} is not JSON`, cause);
  }
}

const agentIds = new Map<string, AgentId>();
const maxAgentIds = 10_000;

/** Parsed once for each agent instead of once for each event. */
function toAgentId(text: string): AgentId {
  const known = agentIds.get(text);
  if (known !== undefined) return known;
  if (agentIds.size >= maxAgentIds) agentIds.clear();
  const agentId = AgentId.parse(text);
  agentIds.set(text, agentId);
  return agentId;
}

function createNewerEventError(row: EventRow, type: string, runId: RunId, file: string): EngineError {
  const [seq, , , , version] = row;
  return new EngineError(
    'store-newer',
    `Event ${seq} of ${runId} in ${file} is a "${type}" of version ${version}, which this version does not know.`,
    { remedy: 'Read this run with the version of io-studio that wrote it, or a newer one.' },
  );
}
