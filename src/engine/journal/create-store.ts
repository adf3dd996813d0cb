// Brings a new journal file into being, once. It is made whole under another name and then given its own, so that
// `journal.db` is never seen half made: an empty or headless file is damage, not a journal somebody is about to create.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { migrate } from './migrate.ts';
import { applicationId } from './migrations.ts';
import { publishFile, syncPath } from './publish-file.ts';
import { createStoreError } from './store-error.ts';

/** Creates the directory and the journal `file` in it where they are missing. Safe in many processes at once. */
export function createStore(file: string): void {
  const firstMade = mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (firstMade !== undefined) syncPath(dirname(firstMade));
  if (existsSync(file)) return;
  // The log of a lost database would be replayed into the new one. Asked twice: another process may have been first.
  if (existsSync(`${file}-wal`) && !existsSync(file)) {
    throw createStoreError('store-damaged', file, 'the file is gone while its -wal neighbour is still there');
  }
  const draft = `${file}.${randomUUID()}.new`;
  try {
    fillDraft(draft);
    publishFile(draft, file);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

function fillDraft(draft: string): void {
  // SQLite gives the files it adds later the same permissions as this one.
  closeSync(openSync(draft, 'wx', 0o600));
  const database = new SqliteDatabase(draft);
  try {
    // Has to be set before the first table; later pruning can then give pages back without rewriting the file.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma(`application_id = ${applicationId}`);
    migrate(database);
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
}
