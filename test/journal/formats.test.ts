// Journals of every format there has been: each opens, reads as it did and can be gone on from, or is refused with its version.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.ts';
import { migrations } from '../../src/engine/journal/migrations.ts';
import { foldRun } from '../../src/shared/fold-run.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { openTestStore, untilDone } from './written-runs.ts';

const directory = join(import.meta.dirname, '../fixtures/journals');
const formats = readdirSync(directory).flatMap((name) => /^format-(\d+)\.db\.zst$/.exec(name)?.[1] ?? []);

/** Puts the journal into a home of its own. */
function unpack(format: string, home: string): string {
  const file = join(home, 'journal.db');
  writeFileSync(file, zstdDecompressSync(readFileSync(join(directory, `format-${format}.db.zst`))));
  return file;
}

describe('a journal of an earlier format', () => {
  it('is there for the first one that was released', () => {
    expect(formats).toContain('1');
  });

  it.each(formats)('(%s) opens, is brought up to date, and says what it said', async (format) => {
    using place = createTemporaryDirectory();
    const home = place.make('home');
    const file = unpack(format, home);
    await using store = await openTestStore(home);
    const { reader } = store.journal;
    const [run] = reader.listRuns();
    expect(run).toMatchObject({
      title: 'Turn one into two.',
      outcome: { kind: 'met', checked: true },
      imported: false,
    });
    const events = run === undefined ? [] : reader.readEvents(run.runId);
    const state = foldRun(null, events);
    expect(state).toMatchObject({ outcome: { kind: 'met' }, changed: ['notes.txt', 'done.txt'], imported: null });
    expect(await store.retention.verify({ runId: null, rebuild: false }, untilDone)).toMatchObject({
      runs: 1,
      events: events.length,
      faults: [],
    });
    const database = new SqliteDatabase(file, { readonly: true });
    expect(database.pragma('user_version', { simple: true })).toBe(migrations.length);
    database.close();
  });

  it.each(formats)('(%s) gives a run that can be taken elsewhere', async (format) => {
    using place = createTemporaryDirectory();
    const home = place.make('home');
    unpack(format, home);
    await using store = await openTestStore(home);
    await using other = await openTestStore();
    const [run] = store.journal.reader.listRuns();
    if (run === undefined) throw new Error('The fixture has no run');
    const exported = join(place.path, 'run.ioexport');
    await store.retention.exportRun(run.runId, exported, null);
    await other.retention.importRun(exported, null, untilDone);
    const events = store.journal.reader.readEvents(run.runId);
    expect(other.journal.reader.readEvents(run.runId).slice(0, -1)).toEqual(events);
  });

  it.each(formats)('(%s) is replayed by this version, and follows (temporalio/sdk-typescript#1582)', async (format) => {
    using place = createTemporaryDirectory();
    const home = place.make('home');
    unpack(format, home);
    const engine = createEngine({ home, environment: {} });
    try {
      const [run] = await engine.listRuns();
      if (run === undefined) throw new Error('The fixture has no run');
      const events = (await engine.readEvents(run.runId)).length;
      expect(await engine.replayRun(run.runId)).toMatchObject({ divergence: null, events });
    } finally {
      await engine.close();
    }
  });
});

describe('a journal that this version does not know', () => {
  it.each([
    ['store-newer', 'pragma user_version = 99', `its format is 99, this version knows ${migrations.length}`],
    ['store-foreign', 'pragma application_id = 7', 'its application id is 7'],
  ])('is refused as %s, with what it is', async (code, change, message) => {
    using place = createTemporaryDirectory();
    const home = place.make('home');
    const file = unpack('1', home);
    const database = new SqliteDatabase(file);
    database.exec(change);
    database.close();
    const before = readFileSync(file);
    await expect(openTestStore(home)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is told by the event, where only that is newer', async () => {
    using place = createTemporaryDirectory();
    const home = place.make('home');
    const database = new SqliteDatabase(unpack('1', home));
    database.exec("update event set body = json_set(body, '$.version', 12) where seq = 3");
    database.close();
    await using store = await openTestStore(home);
    const [run] = store.journal.reader.listRuns();
    expect(() => (run === undefined ? [] : store.journal.reader.readEvents(run.runId))).toThrow(
      expect.objectContaining({ code: 'store-newer', message: expect.stringContaining('of version 12') }),
    );
    const { faults } = await store.retention.verify({ runId: null, rebuild: false }, untilDone);
    expect(faults).toMatchObject([{ kind: 'event', what: expect.stringContaining('of version 12') }]);
  });
});
