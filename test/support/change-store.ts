import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

/** Changes the database of a home behind the engine's back. */
export function changeStore(home: string, sql: string): void {
  const database = new SqliteDatabase(join(home, 'journal.db'));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
