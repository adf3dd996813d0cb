// A connection of its own for one long look at the store, so that the reader of a running engine is not kept from its turn.
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { busyTimeoutMs } from '../open-store.ts';
import { toStoreError } from '../store-error.ts';

/** Calls `use` with a connection that cannot write, and closes it. Every failure is an `EngineError` that names the file. */
export async function withDatabase<Result>(
  file: string,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  try {
    const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      return await use(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toStoreError(error, file);
  }
}

/** The same in one read transaction: everything is seen as it stood at one moment, whoever writes meanwhile. */
export function withSnapshot<Result>(file: string, use: (database: Database) => Promise<Result>): Promise<Result> {
  return withDatabase(file, async (database) => {
    database.exec('begin');
    database.prepare('select 1 from sqlite_schema limit 1').get(); // Only a read begins it.
    return await use(database); // Closing the connection ends it.
  });
}
