// Brings a database up to the present format.
import type { Database } from 'better-sqlite3';
import { migrations } from './migrations.ts';

/** Runs the migrations the database has not seen, in one transaction; safe in many processes at once. */
export function migrate(database: Database): void {
  if (readFormat(database) === migrations.length) return;
  const upgrade = database.transaction(() => {
    // Asked again under the write lock: another process may have done it meanwhile.
    for (const migration of migrations.slice(readFormat(database))) database.exec(migration);
    database.pragma(`user_version = ${migrations.length}`);
  });
  upgrade.immediate();
}

/** The format the database is in: how many migrations it has seen. */
export function readFormat(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
