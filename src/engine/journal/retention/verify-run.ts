// The events of one run: without gaps, of shapes that are known, naming contents that are there, and adding up to a state.
import type { Database } from 'better-sqlite3';
import { isEngineError } from '../../../shared/engine-error.ts';
import { EventBody, type JournalEvent } from '../../../shared/event.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { parseEventText } from '../parse-event-text.ts';
import { toBlobRefs } from '../to-blob-refs.ts';
import type { AddFault, RunRow } from './fault-list.ts';
import type { FaultKind } from './store-report.ts';

interface EventRow {
  readonly position: number;
  readonly seq: number;
  readonly type: string;
  readonly agent: string;
  readonly step: number;
  readonly at: number;
  readonly body: string;
}

const pageSize = 1000;

/** Returns how many events there are. Tells the first fault only: what comes behind it rests on it. */
export function verifyRun(database: Database, file: string, { key, runId }: RunRow, addFault: AddFault): number {
  const page = database.prepare<[number, number, number], EventRow>(
    'select position, seq, type, agent, step, at, body from event where run = ? and seq > ? order by seq limit ?',
  );
  const named = database
    .prepare<[number], string>(
      'select lower(hex(hash)) from event_blob join blob on blob.key = event_blob.blob where position = ?',
    )
    .pluck();
  const fail = (kind: FaultKind, what: string): void =>
    addFault({ kind, runId, what, remedy: 'Restore the store from a backup; the other runs are not touched by it.' });
  let state: RunState | null = null;
  let last = 0;
  for (let rows = page.all(key, last, pageSize); rows.length > 0; rows = page.all(key, last, pageSize)) {
    for (const row of rows) {
      const fault = row.seq === last + 1 ? null : `after event ${last} comes event ${row.seq}`;
      const event = fault ?? readEvent(row, runId, file);
      if (typeof event === 'string') {
        fail('event', event);
        return last;
      }
      const missing = findMissing(event, named.all(row.position));
      if (missing !== null) fail('reference', `event ${row.seq} names content ${missing}, which is not kept with it`);
      const folded = fold(state, event);
      if (typeof folded === 'string') {
        fail('fold', `event ${row.seq}: ${folded}`);
        return last;
      }
      state = folded;
      last = row.seq;
    }
  }
  if (last === 0) fail('event', 'it has no events');
  return last;
}

/** The event, or what is wrong with it. */
function readEvent(row: EventRow, runId: RunRow['runId'], file: string): JournalEvent | string {
  try {
    const event = parseEventText(row.body, runId, file);
    const { runId: _runId, agentId, seq, step, at, ...body } = event;
    const columns = [row.type, row.agent, row.seq, row.step, row.at];
    if ([event.type, agentId, seq, step, at].some((value, index) => value !== columns[index])) {
      return `event ${row.seq} is another one than its row says`;
    }
    const { version: _version, ...known } = { version: 1, ...body };
    const parsed = EventBody.safeParse(known);
    return parsed.success ? event : `event ${row.seq}, a ${event.type}, does not have the shape it is stored in`;
  } catch (error) {
    return isEngineError(error) ? error.message : `event ${row.seq} cannot be read: ${String(error)}`;
  }
}

function findMissing(event: JournalEvent, hashes: readonly string[]): string | null {
  const kept = new Set(hashes);
  return toBlobRefs(event).find(({ hash }) => !kept.has(hash))?.hash ?? null;
}

function fold(state: RunState | null, event: JournalEvent): RunState | null | string {
  try {
    return foldRun(state, [event]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
