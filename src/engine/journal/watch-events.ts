// Following a run: what is there in batches, then what comes. The cursor is the only state; everything else is read again
// from the journal, so a slow reader costs nothing and misses nothing.
import { setImmediate } from 'node:timers/promises';
import type { JournalEvent } from '../../shared/event.ts';
import type { RunId } from '../../shared/id.ts';
import type { Doorbell } from './doorbell.ts';

const maxBatch = 500;

export interface WatchSources {
  readonly doorbell: Doorbell;
  readonly readEvents: (runId: RunId, afterSeq: number, limit: number) => JournalEvent[];
}

/** Yields events after `afterSeq` until `signal` aborts or the doorbell is closed. */
export async function* watchEvents(
  { doorbell, readEvents }: WatchSources,
  { runId, afterSeq, signal }: { runId: RunId; afterSeq: number; signal: AbortSignal },
): AsyncGenerator<JournalEvent[]> {
  if (doorbell.closed) return;
  // Before the first read: a commit between that read and the first wait would otherwise go unnoticed.
  const stopListening = doorbell.listen();
  try {
    let cursor = afterSeq;
    while (!signal.aborted && !doorbell.closed) {
      const batch = readEvents(runId, cursor, maxBatch);
      const last = batch.at(-1);
      if (last === undefined) {
        await doorbell.wait(runId, signal);
        continue;
      }
      cursor = last.seq;
      yield batch;
      // A long backlog must not keep the rest of the process from its turn.
      await setImmediate();
    }
  } finally {
    stopListening();
  }
}
