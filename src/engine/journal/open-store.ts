// Opens the writing connection. It hands out a database only when it is ours, whole, of a known format, and set to sync
// every commit: durability is asserted here, not assumed.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { createStore } from './create-store.ts';
import { migrate, readFormat } from './migrate.ts';
import { applicationId, migrations } from './migrations.ts';
import { createStoreError, toStoreError } from './store-error.ts';

/** How long a writer waits for the writers of other processes before it reports `store-busy`. */
export const busyTimeoutMs = 20_000;

/** Opens the journal `file` for writing and creates it where it is missing. Throws the `store-…` errors. */
export function openStore(file: string): Database {
  try {
    createStore(file);
    assertWritable(file);
    return openDatabase(file);
  } catch (error) {
    throw toStoreError(error, file);
  }
}

function assertWritable(file: string): void {
  // SQLite would open a protected file for reading and fail at the first commit.
  accessSync(dirname(file), constants.R_OK | constants.W_OK | constants.X_OK);
  accessSync(file, constants.R_OK | constants.W_OK);
  if (statSync(file).size === 0) throw createStoreError('store-damaged', file, 'the file is empty');
}

function openDatabase(file: string): Database {
  const database = new SqliteDatabase(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    assertOurs(database, file);
    configure(database, file);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function assertOurs(database: Database, file: string): void {
  const id = Number(database.pragma('application_id', { simple: true }));
  if (id !== applicationId) {
    throw createStoreError('store-foreign', file, `its application id is ${id}, not ${applicationId}`);
  }
  const format = readFormat(database);
  if (format > migrations.length) {
    throw createStoreError('store-newer', file, `its format is ${format}, this version knows ${migrations.length}`);
  }
  const tables = database.prepare("select count(*) from sqlite_schema where name in ('run', 'event', 'blob')").pluck();
  if (tables.get() !== 3) throw createStoreError('store-damaged', file, 'its tables are missing');
}

function configure(database: Database, file: string): void {
  const settings: [name: string, value: string | number, reads: string | number][] = [
    ['journal_mode', 'WAL', 'wal'],
    ['synchronous', 'FULL', 2],
    ['foreign_keys', 'ON', 1],
    // A content that is masked later, or pruned, leaves no trace in free pages.
    ['secure_delete', 'ON', 1],
  ];
  // There an ordinary fsync leaves data in the drive's cache.
  if (process.platform === 'darwin') settings.push(['fullfsync', 'ON', 1], ['checkpoint_fullfsync', 'ON', 1]);
  for (const [name, value, reads] of settings) {
    database.pragma(`${name} = ${value}`);
    const actual = database.pragma(name, { simple: true });
    if (actual !== reads) {
      throw createStoreError('store-unwritable', file, `${name} is ${String(actual)} and cannot be set to ${value}`);
    }
  }
}
