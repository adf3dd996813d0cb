// A rewind that was cut off has still to be finished, whatever the run had come to before: without its journal the workspace
// would stay half of what it was.
import type { RunId } from '../../../shared/id.ts';
import type { JournalReader } from '../journal.ts';

export const isBeingRewound = (reader: Pick<JournalReader, 'readEventsOf'>, runId: RunId): boolean =>
  reader.readEventsOf(runId, ['rewind-start', 'run-rewind']).at(-1)?.type === 'rewind-start';
