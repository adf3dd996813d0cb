// Reading before the store is open for writing: a long run is read in the time that its worker takes to start. Only a store of
// just this version is read so; whatever is wrong with another one is told by whoever opens it for writing.
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { JournalReader } from './journal.ts';
import { readFormat } from './migrate.ts';
import { applicationId, migrations } from './migrations.ts';
import { parseEventText } from './parse-event-text.ts';
import { prepareReadQueries } from './read-queries.ts';
import { toDatabaseFile } from './store-file.ts';

/** What `read` makes of the journal as it stands; null where it cannot be read yet, or `read` throws. */
export function readEarly<Answer>(
  home: string,
  read: (reader: Pick<JournalReader, 'readEvents'>) => Answer,
): Answer | null {
  const file = toDatabaseFile(home);
  try {
    using connection = openConnection(file);
    if (!isPresent(connection.database)) return null;
    const { events } = prepareReadQueries(connection.database);
    return read({
      readEvents: (runId, afterSeq = 0, limit = -1) =>
        events.all(runId, afterSeq, limit).map((text) => parseEventText(text, runId, file)),
    });
  } catch {
    return null;
  }
}

/** Who is waited for longer, the worker waits for too. */
const busyMs = 200;

function openConnection(file: string): Disposable & { readonly database: Database } {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: busyMs });
  return { database, [Symbol.dispose]: () => void database.close() };
}

const isPresent = (database: Database): boolean =>
  database.pragma('application_id', { simple: true }) === applicationId && readFormat(database) === migrations.length;
