// A copy of the whole store, by SQLite's own backup, while others write: it is the store as it stood at one moment. What
// comes out is one file that needs no log, looked over before it gets its name.
import { copyFileSync, existsSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { createStoreError } from '../store-error.ts';
import { toDatabaseFile, toSealKeyFile } from '../store-file.ts';
import { publishCopy } from './publish-copy.ts';
import type { BackupReport } from './store-report.ts';
import { withSnapshot } from './with-database.ts';

export interface BackupStore {
  readonly home: string;
  readonly file: string;
  /** Copies the key of sealed originals to a file beside it: whoever holds both can read every secret. */
  readonly withKey: boolean;
}

/** Throws `file-exists`, and `store-damaged` when the copy is not whole. */
export async function backupStore({ home, file, withKey }: BackupStore): Promise<BackupReport> {
  const counts = await publishCopy(file, async (draft) => {
    await withSnapshot(toDatabaseFile(home), (database) => database.backup(draft));
    return settle(draft);
  });
  return { file, bytes: statSync(file).size, ...counts, keyFile: withKey ? await copyKey(home, file) : null };
}

/** Without a log of its own, and whole. */
function settle(draft: string): { readonly runs: number; readonly events: number } {
  const database = new SqliteDatabase(draft);
  try {
    database.pragma('journal_mode = DELETE');
    const found = String(database.pragma('integrity_check(1)', { simple: true }));
    if (found !== 'ok') throw createStoreError('store-damaged', draft, `the copy is not whole: ${found}`);
    const count = (table: 'run' | 'event'): number =>
      database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0;
    return { runs: count('run'), events: count('event') };
  } finally {
    database.close();
  }
}

async function copyKey(home: string, file: string): Promise<string | null> {
  const [key, copy] = [toSealKeyFile(home), `${file}.key`];
  if (!existsSync(key)) return null;
  await publishCopy(copy, async (draft) => copyFileSync(key, draft));
  return copy;
}
