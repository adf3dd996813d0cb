// Looks over a store: pages, schema, references, contents, events, folds and projections. It changes nothing unless it is
// asked to make projections again, and says of each fault what can be done.
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { RunId } from '../../../shared/id.ts';
import { isInSight } from '../read-queries.ts';
import { toStoreError } from '../store-error.ts';
import { createFaultList, type FaultList, maxFaults, type RunRow } from './fault-list.ts';
import { unknownRun } from './hide-run.ts';
import { findJournalSchemaFault } from './read-schema.ts';
import type { StoreKeeper } from './store-keeper.ts';
import type { FaultKind, StoreFault, VerifyReport } from './store-report.ts';
import { verifyBlobs } from './verify-blobs.ts';
import { verifyProjections } from './verify-projections.ts';
import { verifyRun } from './verify-run.ts';
import { withSnapshot } from './with-database.ts';

export interface VerifyStore {
  readonly file: string;
  readonly keyFile: string;
  /** Null: all runs and the store as a whole. */
  readonly runId: RunId | null;
  /** Makes the projections again that are not what their events say. */
  readonly rebuild: boolean;
  readonly keeper: StoreKeeper;
  readonly signal: AbortSignal;
}

export async function verifyStore(options: VerifyStore): Promise<VerifyReport> {
  const { file, keyFile, runId, rebuild, keeper, signal } = options;
  const found = createFaultList();
  const stale: RunRow[] = [];
  const counted = await withSnapshot(file, async (database) => {
    if (runId === null) for (const fault of guard(found, null, [], () => findStoreFaults(database))) found.add(fault);
    const runs = listRuns(database, runId);
    if (runId !== null && runs.length === 0) throw unknownRun(runId);
    let events = 0;
    for (const run of runs) {
      await turn();
      if (signal.aborted) break;
      const verified = guard(found, run.runId, { events: 0, isStale: false }, () =>
        verify(options, database, run, found),
      );
      events += verified.events;
      if (verified.isStale) stale.push(run);
    }
    const blobs = await verifyBlobs(
      { database, keyFile, run: runId === null ? null : (runs[0]?.key ?? 0), signal },
      found.add,
    );
    return { runs: runs.length, events, ...blobs };
  });
  const rebuilt = rebuild ? stale : [];
  for (const { key } of rebuilt) await keeper.rebuild(key);
  return { file, ...counted, ...found.report(), rebuilt: rebuilt.map((run) => run.runId) };
}

function verify({ file, rebuild }: VerifyStore, database: Database, run: RunRow, found: FaultList) {
  const before = found.count;
  const events = verifyRun(database, file, run, found.add);
  // What its events do not say cannot be compared with what they say.
  const isComparable = found.count === before;
  const isStale = isComparable && !verifyProjections(database, run, rebuild ? () => undefined : found.add);
  return { events, isStale };
}

/** A page that cannot be read costs what stands on it, and is told like everything else that is found. */
function guard<Result>({ add }: FaultList, runId: RunId | null, otherwise: Result, look: () => Result): Result {
  try {
    return look();
  } catch (error) {
    const { message, remedy } = toStoreError(error, 'of this home');
    add({ kind: 'page', runId, what: message, remedy });
    return otherwise;
  }
}

function listRuns(database: Database, runId: RunId | null): RunRow[] {
  return database
    .prepare<[string | null, string | null], { readonly key: number; readonly id: string }>(
      `select key, id from run where (? is null or id = ?) and ${isInSight} order by key`,
    )
    .all(runId, runId)
    .map(({ key, id }) => ({ key, runId: RunId.parse(id) }));
}

const wholeRemedy = 'Restore the store from a backup, or export what can still be read.';

/** What is wrong with the store as a whole. */
function findStoreFaults(database: Database): StoreFault[] {
  const told = (kind: FaultKind, what: string): StoreFault => ({ kind, runId: null, what, remedy: wholeRemedy });
  const pages = database.prepare<[], string>(`pragma integrity_check(${maxFaults})`).pluck();
  const references = database.prepare<[], { table: string; rowid: number | null; parent: string }>(
    'pragma foreign_key_check',
  );
  const schema = findJournalSchemaFault(database);
  return [
    ...pages.all().flatMap((what) => (what === 'ok' ? [] : [told('page', what)])),
    ...references
      .all()
      .slice(0, maxFaults)
      .map(({ table, rowid, parent }) =>
        told('reference', `a row ${rowid ?? ''} of ${table} names a ${parent} that is not there`),
      ),
    ...(schema === null ? [] : [told('schema', schema)]),
  ];
}
