// The projections: what lists, traces and policy previews read. Each row follows from its event alone, is written in the
// event's transaction, and can be thrown away and made again.
import type { Database } from 'better-sqlite3';
import type { EventBody } from '../../shared/event.ts';
import { toActRow } from './to-act-row.ts';
import { toTraceRow } from './to-trace-row.ts';

/** An event as it stands in the journal. */
export interface StoredEvent {
  readonly run: number;
  readonly position: number;
  readonly at: number;
  readonly body: EventBody;
}

/** Prepares the statements and returns the function that writes the projections of one event. */
export function createProjector(database: Database): (event: StoredEvent) => void {
  const insertTrace = database.prepare('insert into trace_row (position, summary) values (?, ?)');
  const insertAct = database.prepare(
    'insert into act (position, kind, target, effect, rule, layer) values (?, ?, ?, ?, ?, ?)',
  );
  const startRun = database.prepare('update run set title = ?, workspace = ?, started_at = ? where key = ?');
  const setOutcome = database.prepare('update run set outcome = ? where key = ?');
  const setImported = database.prepare('update run set imported_at = ? where key = ?');
  const setWorkspace = database.prepare('update run set workspace = ? where key = ?');

  return ({ run, position, at, body }) => {
    insertTrace.run(position, toTraceRow(body));
    const act = toActRow(body);
    if (act !== null) insertAct.run(position, act.kind, act.target, act.effect, act.rule, act.layer);
    if (body.type === 'run-start') startRun.run(body.title, body.workspace.path, at, run);
    if (body.type === 'run-resume') setOutcome.run(null, run);
    if (body.type === 'run-rewind' && body.outcome !== undefined)
      setOutcome.run(body.outcome === null ? null : JSON.stringify(body.outcome), run);
    if (body.type === 'run-import') setImported.run(at, run);
    if (body.type === 'run-adopt') {
      setImported.run(null, run);
      setWorkspace.run(body.workspace.path, run);
    }
    if (body.type === 'run-finish') setOutcome.run(JSON.stringify(body.outcome), run);
  };
}

/** Makes all projections again from the events, run by run, in one transaction. */
export function rebuildProjections(database: Database): void {
  const runs = database.prepare<[], number>('select key from run order by key').pluck();
  const rebuild = database.transaction(() => {
    for (const run of runs.all()) rebuildRun(database, run);
  });
  rebuild.immediate();
}

/** Makes the projections of one run again, in the caller's transaction. */
export function rebuildRun(database: Database, run: number): void {
  const project = createProjector(database);
  const page = database.prepare<[number, number], Omit<StoredEvent, 'body'> & { readonly body: string }>(
    'select run, position, at, body from event where run = ? and position > ? order by position limit 1000',
  );
  for (const table of ['trace_row', 'act']) {
    database.prepare(`delete from ${table} where position in (select position from event where run = ?)`).run(run);
  }
  database
    .prepare(
      "update run set title = '', workspace = '', started_at = 0, outcome = null, imported_at = null where key = ?",
    )
    .run(run);
  for (let events = page.all(run, 0); events.length > 0; events = page.all(run, events.at(-1)?.position ?? 0)) {
    for (const event of events) project({ ...event, body: JSON.parse(event.body) });
  }
}
