import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createTemporaryHome, newRunId, sampleRunStart } from '../../../test/journal/journal-samples.ts';
import type { RunId } from '../../shared/id.ts';
import { commitRequests } from './commit-requests.ts';
import { closeStores, openStores } from './open-stores.ts';
import { readEarly } from './read-early.ts';
import type { Stores } from './stores.ts';

/** A closed journal with one run of one event. */
function fillHome(home: string): RunId {
  const stores = openStores(home);
  const runId = addRun(stores);
  closeStores(stores);
  return runId;
}

function addRun(stores: Stores): RunId {
  const runId = newRunId();
  const { event, blobs } = sampleRunStart();
  commitRequests(stores, [{ kind: 'create-run', runId, events: [event], blobs }]);
  return runId;
}

const readTypes = (home: string, runId: RunId) =>
  readEarly(home, (reader) => reader.readEvents(runId).map(({ type }) => type));

describe('reading before the store is open for writing', () => {
  it('finds what is there, and leaves nothing in the way of whoever opens it', () => {
    using home = createTemporaryHome();
    const runId = fillHome(home.path);
    expect(readTypes(home.path, runId)).toEqual(['run-start']);
    closeStores(openStores(home.path));
    expect(readdirSync(home.path).filter((name) => name.startsWith('journal'))).toEqual(['journal.db']);
  });

  it('finds what a living writer, or one that was killed, has committed and left in its log', () => {
    using home = createTemporaryHome();
    using killed = createTemporaryHome();
    const stores = openStores(home.path);
    const runId = addRun(stores);
    mkdirSync(killed.path);
    for (const name of ['journal.db', 'journal.db-wal']) copyFileSync(join(home.path, name), join(killed.path, name));
    const found = [home, killed].map(({ path }) => readTypes(path, runId));
    closeStores(stores);
    expect(found).toEqual([['run-start'], ['run-start']]);
  });

  it.each<[what: string, change: (database: SqliteDatabase.Database) => void]>([
    ['of an earlier format', (database) => void database.pragma('user_version = 1')],
    ['of a later format', (database) => void database.pragma('user_version = 9999')],
    ['of another program', (database) => void database.pragma('application_id = 1')],
    ['without its tables', (database) => void database.exec('alter table event rename to other')],
  ])('leaves a store %s to whoever opens it', (_what, change) => {
    using home = createTemporaryHome();
    const runId = fillHome(home.path);
    const database = new SqliteDatabase(join(home.path, 'journal.db'));
    change(database);
    database.close();
    expect(readTypes(home.path, runId)).toBe(null);
  });

  it('makes no store where there is none, and says nothing of one that is damaged', () => {
    using home = createTemporaryHome();
    expect(readTypes(home.path, newRunId())).toBe(null);
    expect(existsSync(home.path)).toBe(false);
    const runId = fillHome(home.path);
    writeFileSync(join(home.path, 'journal.db'), 'This is no database.');
    expect(readTypes(home.path, runId)).toBe(null);
  });
});
