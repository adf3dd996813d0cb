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

  return ({ run, position, at, body }) => {
    insertTrace.run(position, toTraceRow(body));
    const act = toActRow(body);
    if (act !== null) insertAct.run(position, act.kind, act.target, act.effect, act.rule, act.layer);
    if (body.type === 'run-start') startRun.run(body.title, body.workspace.path, at, run);
    if (body.type === 'run-resume') setOutcome.run(null, run);
    if (body.type === 'run-finish') setOutcome.run(JSON.stringify(body.outcome), run);
  };
}

/** Makes all projections again from the events, in one transaction. */
export function rebuildProjections(database: Database): void {
  const project = createProjector(database);
  const events = database.prepare<[], Omit<StoredEvent, 'body'> & { readonly body: string }>(
    'select run, position, at, body from event order by position',
  );
  const rebuild = database.transaction(() => {
    database.exec(
      "delete from trace_row; delete from act; update run set title = '', workspace = '', started_at = 0, outcome = null;",
    );
    for (const event of events.all()) project({ ...event, body: JSON.parse(event.body) });
  });
  rebuild.immediate();
}
