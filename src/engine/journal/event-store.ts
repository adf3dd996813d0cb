// Events: appended with the references to their blobs and with the projections that follow from them, all in the caller's
// transaction. The sequence of a run has no gaps because it is read and extended under the same write lock.
import type { Database } from 'better-sqlite3';
import { EngineError } from '../../shared/engine-error.ts';
import type { EventBody, EventPlace } from '../../shared/event.ts';
import type { RunId } from '../../shared/id.ts';
import { eventVersion, toEventText } from './event-text.ts';
import { createProjector } from './projector.ts';
import { toBlobRefs } from './to-blob-refs.ts';

export interface EventStore {
  createRun(runId: RunId): number;
  /** The row of a run; undefined when there is none. */
  findRun(runId: RunId): number | undefined;
  /** Appends one event and returns its sequence number. */
  append(
    run: number,
    event: EventPlace & { readonly at: number; readonly body: EventBody },
  ): { readonly seq: number; readonly position: number };
  /** The text of the event that already said what may be said once, if there is one. */
  findSaid(run: number, type: string, subject: string): string | undefined;
  /** Records that it is said now. */
  markSaid(run: number, type: string, subject: string, position: number): void;
}

export function createEventStore(database: Database, findBlob: (hash: string) => number | undefined): EventStore {
  const project = createProjector(database);
  const findRun = database.prepare<[string], number>('select key from run where id = ?').pluck();
  const insertRun = database.prepare("insert into run (id, title, workspace, started_at) values (?, '', '', 0)");
  const head = database.prepare<[number], number | null>('select max(seq) from event where run = ?').pluck();
  const insert = database.prepare(
    'insert into event (run, seq, agent, step, call, type, at, version, body) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const refer = database.prepare('insert or ignore into event_blob (blob, position) values (?, ?)');
  const findSaid = database
    .prepare<[number, string, string], string>(
      `select body from person_key join event using (position)
       where person_key.run = ? and person_key.type = ? and subject = ?`,
    )
    .pluck();
  const markSaid = database.prepare('insert into person_key (run, type, subject, position) values (?, ?, ?, ?)');

  const referTo = (body: EventBody, position: number): void => {
    for (const ref of toBlobRefs(body)) {
      const blob = findBlob(ref.hash);
      if (blob === undefined) throw createMissingBlobError(body.type, ref.hash);
      refer.run(blob, position);
    }
  };

  return {
    createRun: (runId) => Number(insertRun.run(runId).lastInsertRowid),
    findRun: (runId) => findRun.get(runId),
    append(run, { agentId, step, at, body }) {
      const seq = (head.get(run) ?? 0) + 1;
      const call = 'call' in body ? body.call : null;
      const text = toEventText({ agentId, step, seq, at }, body);
      const written = insert.run(run, seq, agentId, step, call, body.type, at, eventVersion, text);
      const position = Number(written.lastInsertRowid);
      referTo(body, position);
      project({ run, position, at, body });
      return { seq, position };
    },
    findSaid: (run, type, subject) => findSaid.get(run, type, subject),
    markSaid: (run, type, subject, position) => void markSaid.run(run, type, subject, position),
  };
}

function createMissingBlobError(type: string, hash: string): EngineError {
  return new EngineError(
    'blob-missing',
    `A "${type}" event names blob ${hash}, which is neither stored nor sent with it.`,
    {
      remedy: 'Nothing was written. Report this: an event and its blobs have to be appended together.',
    },
  );
}
