// The reader: a connection of its own in the calling thread that cannot write. It is opened at the first question, because
// a process that only starts a run should not wait for it.
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { EngineError } from '../../shared/engine-error.ts';
import { RunId } from '../../shared/id.ts';
import { RunOutcome } from '../../shared/outcome.ts';
import { createDoorbell, type Doorbell } from './doorbell.ts';
import type { JournalReader, RunSummary } from './journal.ts';
import { readOwnerLife, toLeaseOwner } from './lease-owner.ts';
import { busyTimeoutMs } from './open-store.ts';
import { parseEventText } from './parse-event-text.ts';
import { readBlob, readContents, readOriginal } from './read-blob.ts';
import { prepareReadQueries, type ReadQueries, type RunRow } from './read-queries.ts';
import { createStoreError, toStoreError } from './store-error.ts';
import { toDatabaseFile, toSealKeyFile } from './store-file.ts';
import { watchEvents } from './watch-events.ts';

/** A reader of the journal in `home`, and the doorbell that its watchers wait at. */
export function createReader(home: string): { readonly reader: JournalReader; readonly doorbell: Doorbell } {
  const file = toDatabaseFile(home);
  const connection = createConnection(file);
  const { ask } = connection;
  const doorbell = createDoorbell(connection.readVersion);

  const readEvents: JournalReader['readEvents'] = (runId, afterSeq = 0, limit = noLimit) =>
    ask(({ events }) => events.all(runId, afterSeq, limit).map((text) => parseEventText(text, runId, file)));
  const reader: JournalReader = {
    readEvents,
    readEventsOf: (runId, types) =>
      ask(({ eventsOf }) =>
        eventsOf.all(runId, JSON.stringify(types)).map((text) => parseEventText(text, runId, file)),
      ),
    readOwner: (runId) =>
      ask(({ lease }) => {
        const row = lease.get(runId);
        return row === undefined ? null : toLeaseOwner(row);
      }),
    readOwnerLife: (owner) => readOwnerLife(home, owner),
    isHeld: ({ runId, generation }) => ask(({ lease }) => lease.get(runId)?.generation === generation),
    readHead: (runId) => ask(({ head }) => head.get(runId) ?? 0),
    readBlob: (hash) => ask((queries) => readBlob(queries, hash)),
    readOriginal: (hash) => ask((queries) => readOriginal(queries, hash, toSealKeyFile(home))),
    readContents: (hashes) => ask((queries) => readContents(queries, hashes)),
    listRuns: (limit = noLimit) => ask(({ runs }) => runs.all(limit).map((row) => toRunSummary(row, home))),
    readTrace: (runId, afterSeq = 0, limit = noLimit) => ask(({ trace }) => trace.all(runId, afterSeq, limit)),
    readActs: (runId, afterSeq = 0, limit = noLimit) => ask(({ acts }) => acts.all(runId, afterSeq, limit)),
    watch: (runId, afterSeq, signal) => watchEvents({ doorbell, readEvents }, { runId, afterSeq, signal }),
    close() {
      doorbell.close();
      connection.close();
    },
  };
  return { reader, doorbell };
}

/** What SQLite takes for "all of them". */
const noLimit = -1;

interface Connection {
  /** Answers a question; every failure is an `EngineError` that names the file. */
  readonly ask: <Answer>(question: (queries: ReadQueries) => Answer) => Answer;
  readonly readVersion: () => number;
  readonly close: () => void;
}

function createConnection(file: string): Connection {
  let open: { readonly database: Database; readonly queries: ReadQueries } | undefined;
  let closed = false;
  const guard = <Answer>(answer: (opened: NonNullable<typeof open>) => Answer): Answer => {
    if (closed) throw new EngineError('closed', 'The journal is closed.', { remedy: 'Open it again before using it.' });
    try {
      open ??= openConnection(file);
      return answer(open);
    } catch (error) {
      throw toStoreError(error, file);
    }
  };
  return {
    ask: (question) => guard(({ queries }) => question(queries)),
    readVersion: () => guard(({ database }) => Number(database.pragma('data_version', { simple: true }))),
    close() {
      closed = true;
      open?.database.close();
    },
  };
}

function openConnection(file: string): { readonly database: Database; readonly queries: ReadQueries } {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    return { database, queries: prepareReadQueries(database) };
  } catch (error) {
    database.close();
    // The questions are fixed, so only a file without the tables they name can make one of them wrong.
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_ERROR') {
      throw createStoreError('store-damaged', file, error.message, error);
    }
    throw error;
  }
}

function toRunSummary(row: RunRow, home: string): RunSummary {
  return {
    runId: RunId.parse(row.id),
    title: row.title,
    workspace: row.workspace,
    startedAt: row.started_at,
    lastAt: row.last_at,
    events: row.events,
    outcome: row.outcome === null ? null : RunOutcome.parse(JSON.parse(row.outcome)),
    imported: row.imported_at !== null,
    ready: row.beginning === 'run-fork' || row.beginning === 'run-adopt',
    owner: row.released_at === null ? toSummaryOwner(row, home) : null,
  };
}

function toSummaryOwner(row: RunRow, home: string): RunSummary['owner'] {
  const { alive, certain } = readOwnerLife(home, toLeaseOwner(row));
  return { pid: row.pid, alive, certain };
}
