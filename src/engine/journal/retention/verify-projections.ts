// Compares the projections of a run with those that its events give when they are made again, aside.
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { migrations } from '../migrations.ts';
import { createProjector, type StoredEvent } from '../projector.ts';
import type { AddFault, RunRow } from './fault-list.ts';

const pageSize = 1000;
const runColumns = 'title, workspace, started_at, outcome, imported_at';
const tables: readonly (readonly [table: string, columns: string])[] = [
  ['trace_row', 'position, summary'],
  ['act', 'position, kind, target, effect, rule, layer'],
];

/** Whether they are what they should be. */
export function verifyProjections(database: Database, { key, runId }: RunRow, addFault: AddFault): boolean {
  const aside = new SqliteDatabase(':memory:');
  try {
    for (const migration of migrations) aside.exec(migration);
    aside.pragma('foreign_keys = OFF');
    aside.prepare("insert into run (key, id, title, workspace, started_at) values (?, ?, '', '', 0)").run(key, runId);
    const fault = findDifference(database, aside, key);
    if (fault === null) return true;
    const remedy = 'Run "io-studio store verify --rebuild": projections follow from the events and can be made again.';
    addFault({ kind: 'projection', runId, what: fault, remedy });
    return false;
  } finally {
    aside.close();
  }
}

function findDifference(database: Database, aside: Database, run: number): string | null {
  const project = createProjector(aside);
  const page = database.prepare<[number, number, number], Omit<StoredEvent, 'body'> & { readonly body: string }>(
    'select run, position, at, body from event where run = ? and position > ? order by position limit ?',
  );
  for (let after = 0; ; ) {
    const events = page.all(run, after, pageSize);
    if (events.length === 0) break;
    for (const event of events) project({ ...event, body: JSON.parse(event.body) });
    const upTo = events.at(-1)?.position ?? after;
    for (const [table, columns] of tables) {
      const inPage = `position in (select position from event where run = ? and position > ? and position <= ?)`;
      const kept = database.prepare(`select ${columns} from ${table} where ${inPage} order by position`).raw();
      const made = aside.prepare(`select ${columns} from ${table} order by position`).raw();
      if (JSON.stringify(kept.all(run, after, upTo)) !== JSON.stringify(made.all())) {
        return `${table} is not what events ${events[0]?.position} to ${upTo} say`;
      }
      aside.exec(`delete from ${table}`);
    }
    after = upTo;
  }
  const rowOf = (from: Database) =>
    JSON.stringify(from.prepare(`select ${runColumns} from run where key = ?`).get(run));
  return rowOf(database) === rowOf(aside) ? null : 'its line in the list of runs is not what its events say';
}
