// Turns a stored text into an event. Events were checked against the whole schema before they were written, so reading checks
// what can have changed since: that this engine knows the type and the version. Checking all of it again would triple the
// time to open a long run and find nothing.
import { EngineError } from '../../shared/engine-error.ts';
import { EventBody, type EventType, type JournalEvent } from '../../shared/event.ts';
import type { RunId } from '../../shared/id.ts';
import { eventVersion } from './event-text.ts';
import { createStoreError } from './store-error.ts';

/** The event in `text`. Throws `store-newer` for a type or version from a newer engine, `store-damaged` for broken JSON. */
export function parseEventText(text: string, runId: RunId, file: string): JournalEvent {
  const event = parseJson(text, runId, file);
  const { version = 1 } = event;
  if (version > eventVersion || !knownTypes.has(event.type)) throw createNewerEventError(event, runId, file);
  event.runId = runId;
  return event;
}

const knownTypes: ReadonlySet<string> = new Set<EventType>(EventBody.options.map((option) => option.shape.type.value));

/** An event that gets its run in place: copying tens of thousands of objects would cost as much as parsing them. */
type EventDraft = JournalEvent & { runId: RunId; readonly version?: number };

function parseJson(text: string, runId: RunId, file: string): EventDraft {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createStoreError('store-damaged', file, `an event of ${runId} is not JSON`, cause);
  }
}

function createNewerEventError({ seq, type, version = 1 }: EventDraft, runId: RunId, file: string): EngineError {
  return new EngineError(
    'store-newer',
    `Event ${seq} of ${runId} in ${file} is a "${type}" of version ${version}, which this version does not know.`,
    { remedy: 'Read this run with the version of io-studio that wrote it, or a newer one.' },
  );
}
