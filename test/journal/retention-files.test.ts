// Backups, and runs as files: what comes back is what went out, and a file that somebody has tampered with leaves nothing behind.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlob } from '../../src/engine/journal/create-blob.ts';
import { exportSchema } from '../../src/engine/journal/retention/export-format.ts';
import { type RunId, rootAgentId } from '../../src/shared/id.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { appendText, at, sampleDecision, startSampleRun } from './journal-samples.ts';
import { createNoise, createSealedBlob, type OpenedStore, openTestStore, untilDone, writeRun } from './written-runs.ts';

const secret = 'the original with its secret in it';
const sealed = createSealedBlob(secret, 'the original with [masked] in it');
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A run of all that an export has to carry: contents, a masked one, and what a person said. */
async function writeRichRun({ journal }: OpenedStore): Promise<RunId> {
  const lease = await startSampleRun(journal.writer);
  const place = { agentId: rootAgentId, step: 0, at };
  await appendText(journal.writer, lease, createNoise(10_000, 1));
  const body = { type: 'observation', kind: 'check-evidence', content: sealed.ref } as const;
  await journal.writer.append(lease, [{ ...place, body }], [sealed]);
  await journal.writer.appendPerson(lease.runId, sampleDecision('root/1/0', 'ada'), []);
  await journal.writer.releaseLease(lease);
  return lease.runId;
}

describe('a backup', () => {
  it('made while another run is written is a whole store of one moment, in one file, without the key', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const runId = await writeRichRun(store);
    const lease = await startSampleRun(store.journal.writer);
    const file = join(place.path, 'backup.db');
    const writing = Promise.all(Array.from({ length: 60 }, (_, n) => appendText(store.journal.writer, lease, `${n}`)));
    const report = await store.retention.backup(file, false);
    await writing;
    expect(report).toEqual({ file, bytes: statSync(file).size, runs: 2, events: expect.any(Number), keyFile: null });
    expect(readdirSync(place.path)).toEqual(['backup.db']);
    const home = place.make('restored');
    copyFileSync(file, join(home, 'journal.db'));
    await using restored = await openTestStore(home);
    expect(restored.journal.reader.readEvents(runId)).toEqual(store.journal.reader.readEvents(runId));
    const { faults } = await restored.retention.verify({ runId: null, rebuild: false }, untilDone);
    expect(faults.map(({ kind, what }) => [kind, what])).toEqual([
      ['original', `the original of ${sealed.ref.hash} cannot be opened: there is no key`],
    ]);
  });

  it('with its key opens what is sealed, and never replaces a file', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    await writeRichRun(store);
    const file = join(place.path, 'backup.db');
    const { keyFile } = await store.retention.backup(file, true);
    expect(keyFile).toBe(`${file}.key`);
    expect([file, `${file}.key`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    const home = place.make('restored');
    copyFileSync(file, join(home, 'journal.db'));
    copyFileSync(`${file}.key`, join(home, 'seal.key'));
    await using restored = await openTestStore(home);
    expect(decode(restored.journal.reader.readOriginal(sealed.ref.hash))).toBe(secret);
    await expect(store.retention.backup(file, false)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readdirSync(place.path).toSorted()).toEqual(['backup.db', 'backup.db.key', 'restored']);
  });
});

describe('an exported run', () => {
  it('comes back with every event and content, and marked as imported', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const runId = await writeRichRun(store);
    await writeRun(store.journal, { texts: ['of another run'] });
    const file = join(place.path, 'run.ioexport');
    const report = await store.retention.exportRun(runId, file, null);
    expect(report).toEqual({ runId, file, bytes: statSync(file).size, events: 4, blobs: 3, leftOut: 1, keyFile: null });
    const bytes = readFileSync(file);
    expect([bytes.includes(secret), bytes.includes('of another run')]).toEqual([false, false]);
    await using other = await openTestStore();
    expect(await other.retention.importRun(file, null, untilDone)).toEqual({
      runId,
      title: 'Fix the test',
      events: 4,
      blobs: 3,
      withoutOriginal: 1,
    });
    const { reader } = other.journal;
    const events = reader.readEvents(runId);
    expect(events.slice(0, 4)).toEqual(store.journal.reader.readEvents(runId));
    expect(events[4]).toMatchObject({ type: 'run-import', source: basename(file) });
    expect(reader.readTrace(runId, 0, 4)).toEqual(store.journal.reader.readTrace(runId));
    expect(reader.listRuns()).toMatchObject([{ runId, imported: true, owner: null, outcome: null }]);
    expect(decode(reader.readBlob(sealed.ref.hash))).toBe('the original with [masked] in it');
    expect(() => reader.readOriginal(sealed.ref.hash)).toThrow(expect.objectContaining({ code: 'blob-missing' }));
    const { faults, withoutOriginal } = await other.retention.verify({ runId: null, rebuild: false }, untilDone);
    expect({ faults, withoutOriginal }).toEqual({ faults: [], withoutOriginal: 1 });
    await expect(other.retention.importRun(file, null, untilDone)).rejects.toMatchObject({ code: 'run-exists' });
  });

  it('takes its sealed originals along under a key of its own, when that is asked for', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const runId = await writeRichRun(store);
    const [file, keyFile] = [join(place.path, 'run.ioexport'), join(place.path, 'run.key')];
    expect(await store.retention.exportRun(runId, file, keyFile)).toMatchObject({ leftOut: 0, keyFile });
    expect(readFileSync(keyFile).equals(readFileSync(join(store.home, 'seal.key')))).toBe(false);
    expect(readFileSync(file).includes(secret)).toBe(false);
    await using other = await openTestStore();
    const wrong = place.write('wrong.key', Buffer.alloc(32, 7));
    await expect(other.retention.importRun(file, wrong, untilDone)).rejects.toMatchObject({ code: 'export-invalid' });
    await other.retention.importRun(file, keyFile, untilDone);
    expect(decode(other.journal.reader.readOriginal(sealed.ref.hash))).toBe(secret);
  });

  it('is archived only once the file is whole: the run is gone then, and comes back from it', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const { journal, retention } = store;
    const runId = await writeRun(journal, { texts: ['kept in the file'] });
    const events = journal.reader.readEvents(runId);
    const file = join(place.path, 'run.ioexport');
    await retention.archiveRun(runId, { file, keyFile: null, removable: 'over' }, untilDone);
    expect([journal.reader.readEvents(runId), (await retention.stats()).runs]).toEqual([[], []]);
    await retention.importRun(file, null, untilDone);
    expect(journal.reader.readEvents(runId).slice(0, -1)).toEqual(events);
  });

  it('is not archived while it can be resumed, unless that is asked for, and never while it is driven', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const { journal, retention } = store;
    const [file, keyFile] = [join(place.path, 'run.ioexport'), null];
    const archive = (runId: RunId, removable: 'over' | 'unfinished') =>
      retention.archiveRun(runId, { file, keyFile, removable }, untilDone);
    const driven = await startSampleRun(journal.writer);
    await expect(archive(driven.runId, 'unfinished')).rejects.toMatchObject({ code: 'run-owned' });
    await journal.writer.releaseLease(driven);
    await expect(archive(driven.runId, 'over')).rejects.toMatchObject({ code: 'run-unfinished' });
    expect(readdirSync(place.path)).toEqual([]);
    await archive(driven.runId, 'unfinished');
    expect(journal.reader.listRuns()).toEqual([]);
  });
});

describe('contents of an import', () => {
  it('that are masked and cannot be tested give way to those that prove themselves', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const runId = await writeRichRun(store);
    const file = join(place.path, 'run.ioexport');
    await store.retention.exportRun(runId, file, null);
    tamper(file, (database) => {
      const forged = Buffer.from('what somebody wants to be read');
      database.prepare("update blob set bytes = ?, codec = 'raw' where redacted = 1").run(forged);
    });
    await using other = await openTestStore();
    await other.retention.importRun(file, null, untilDone);
    expect(decode(other.journal.reader.readBlob(sealed.ref.hash))).toBe('what somebody wants to be read');
    await writeRun(other.journal, { texts: [secret] });
    expect(decode(other.journal.reader.readBlob(sealed.ref.hash))).toBe(secret);
    await using third = await openTestStore();
    await third.retention.importRun(file, null, untilDone);
    await writeRichRun(third);
    expect(decode(third.journal.reader.readBlob(sealed.ref.hash))).toBe('the original with [masked] in it');
    expect(decode(third.journal.reader.readOriginal(sealed.ref.hash))).toBe(secret);
  });
});

/** Changes a file as its maker could, with every guard of SQLite off. */
function tamper(file: string, change: (database: Database) => void): void {
  const database = new SqliteDatabase(file);
  try {
    database.unsafeMode(true);
    database.pragma('foreign_keys = OFF');
    database.pragma('ignore_check_constraints = ON');
    change(database);
  } finally {
    database.close();
  }
}

const run = (sql: string) => (file: string) => tamper(file, (database) => database.exec(sql));
const eventWith = (change: string) => run(`update event set body = json_set(body, ${change}) where seq = 2`);
const bombBytes = 160 * 2 ** 20;
const bomb = zstdCompressSync(Buffer.alloc(bombBytes));

/** Two contents that events name, each small as it lies there. */
function addBombs(database: Database): void {
  const addBlob = database.prepare("insert into blob values (?, 'zstd', ?, ?, 1)");
  const addEvent = database.prepare('insert into event values (?, ?)');
  for (const seq of [5, 6]) {
    const hash = Buffer.alloc(32, seq);
    const content = { hash: hash.toString('hex'), bytes: bombBytes, origin: 'web', sealed: true };
    const event = { agentId: 'root', step: 0, seq, at, type: 'observation', kind: 'check-evidence', content };
    addBlob.run(hash, bomb, bombBytes);
    addEvent.run(seq, JSON.stringify(event));
  }
  database.exec('update header set events = 6, blobs = 5');
}

const hostile: [what: string, code: string, message: RegExp, make: (file: string) => void][] = [
  [
    'a trigger',
    'export-invalid',
    /its trigger "t" is not/,
    run('create trigger t after insert on event begin select 1; end'),
  ],
  ['a view', 'export-invalid', /its view "v" is not/, run('create view v as select * from event')],
  [
    'a view in the place of a table',
    'export-invalid',
    /its view "event" is not/,
    run("drop table event; create view event as select 1 as seq, '' as body"),
  ],
  [
    'a generated column',
    'export-invalid',
    /its table "header" is not/,
    run('alter table header add column g text as (length(run)) virtual'),
  ],
  ['a missing table', 'export-invalid', /it has no "sealed"/, run('drop table sealed')],
  ['another index', 'export-invalid', /its index "i" is not/, run('create index i on event (lower(body))')],
  [
    'a content of another hash',
    'export-invalid',
    /has another hash/,
    run("update blob set bytes = zeroblob(size), codec = 'raw' where redacted = 0 and size > 2"),
  ],
  [
    'a content that is not there',
    'export-invalid',
    /contents that its events name are missing/,
    run('delete from blob where size = 2'),
  ],
  [
    'a content that nothing names',
    'export-invalid',
    /no event names its content/,
    run("insert into blob values (zeroblob(32), 'raw', x'00', 1, 1)"),
  ],
  [
    'a hash of another length',
    'export-invalid',
    /not kept under a hash/,
    run("update blob set hash = x'0102' where size = 2"),
  ],
  [
    'a codec nobody knows',
    'export-invalid',
    /is stored as "lzma"/,
    run("update blob set codec = 'lzma' where size > 1000"),
  ],
  [
    'a content that says it is huge',
    'export-invalid',
    /says that it is 9000000000000 bytes long/,
    run('update blob set size = 9000000000000 where size > 1000'),
  ],
  [
    'a content that inflates to more than it says',
    'export-invalid',
    /cannot be inflated to its 10000 bytes/,
    (file) =>
      tamper(
        file,
        (database) => void database.prepare("update blob set bytes = ?, codec = 'zstd' where size > 1000").run(bomb),
      ),
  ],
  [
    'contents that come to too much',
    'export-invalid',
    /bytes would become more than/,
    (file) => tamper(file, addBombs),
  ],
  [
    'an event that is not JSON',
    'export-invalid',
    /event 2 is not JSON/,
    run("update event set body = '{' where seq = 2"),
  ],
  [
    'an event of another shape',
    'export-invalid',
    /event 2, a observation, does not have its shape/,
    eventWith("'$.surprise', 1"),
  ],
  ['an event of another place', 'export-invalid', /says that it is event 7/, eventWith("'$.seq', 7")],
  ['an event of a newer version', 'store-newer', /Event 2 of .* of version 9/, eventWith("'$.version', 9")],
  ['an event of a type nobody knows', 'store-newer', /is a "time-travel"/, eventWith("'$.type', 'time-travel'")],
  [
    'an event that is very long',
    'export-invalid',
    /event 2 is \d+ bytes long/,
    run("update event set body = json_set(body, '$.kind', hex(zeroblob(3000000))) where seq = 2"),
  ],
  ['a gap between events', 'export-invalid', /after event 1 comes event 3/, run('delete from event where seq = 2')],
  [
    'two beginnings',
    'export-invalid',
    /do not add up to a run: A run starts once/,
    run("update event set body = (select json_set(body, '$.seq', 2) from event where seq = 1) where seq = 2"),
  ],
  ['an agent that is not there', 'export-invalid', /do not add up to a run/, eventWith("'$.agentId', 'root/7/7'")],
  [
    'a way out of the workspace',
    'export-invalid',
    /event 2 names "\.\.\/\.\.\/etc\/passwd", which leads out/,
    (file) =>
      tamper(file, (database) => {
        const body = JSON.stringify({
          agentId: 'root',
          step: 0,
          seq: 2,
          at,
          type: 'call-start',
          call: 0,
          tool: 'write_file',
          class: 'compare',
          risky: false,
          change: { path: '../../etc/passwd', before: null, after: null },
        });
        database.prepare('update event set body = ? where seq = 2').run(body);
      }),
  ],
  ['a run id that is none', 'export-invalid', /its header is not one line/, run("update header set run = '../../run'")],
  ['two headers', 'export-invalid', /its header is not one line/, run('insert into header select * from header')],
  ['fewer events than it says', 'export-invalid', /it holds 4 of 5 events/, run('update header set events = 5')],
  [
    'text for a number',
    'export-invalid',
    /it is damaged|its header is not/,
    run(
      "pragma writable_schema = on; update sqlite_schema set sql = replace(sql, ') strict', ')') where name = 'header'; pragma writable_schema = reset; update header set events = 'many'; pragma writable_schema = on; update sqlite_schema set sql = sql || ' strict' where name = 'header'; pragma writable_schema = reset",
    ),
  ],
  ['a database of another program', 'export-invalid', /its application id is 7/, run('pragma application_id = 7')],
  [
    'a later format',
    'store-newer',
    /was exported in format 2; this version knows formats up to 1/,
    run('pragma user_version = 2'),
  ],
  ['a log beside it', 'export-invalid', /it has a log beside it/, run('pragma journal_mode = wal')],
  ['no database', 'export-invalid', /it is not a database/, (file) => writeFileSync(file, 'x'.repeat(5000))],
  ['too little', 'export-invalid', /it is too short/, (file) => truncateSync(file, 50)],
  ['half of it', 'export-invalid', /cannot be used/, (file) => truncateSync(file, statSync(file).size / 2)],
  [
    'damaged pages',
    'export-invalid',
    /cannot be used/,
    (file) => {
      const bytes = readFileSync(file);
      bytes.fill(0xa5, 4096 * 2, 4096 * 3);
      writeFileSync(file, bytes);
    },
  ],
];

describe('a hostile file', () => {
  let other: OpenedStore;
  let exported: Uint8Array;
  beforeAll(async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const file = join(place.path, 'run.ioexport');
    await store.retention.exportRun(await writeRichRun(store), file, null);
    exported = readFileSync(file);
    other = await openTestStore();
  });
  afterAll(() => other[Symbol.asyncDispose]());

  it.each(hostile)('with %s is refused as %s, and leaves nothing behind', async (_what, code, message, make) => {
    using place = createTemporaryDirectory();
    const file = place.write('run.ioexport', exported);
    make(file);
    const before = readdirSync(other.home);
    await expect(other.retention.importRun(file, null, untilDone)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(/./),
    });
    expect(readdirSync(other.home)).toEqual(before);
    const { runs, unnamed } = await other.retention.stats();
    expect({ runs, unnamed }).toEqual({ runs: [], unnamed: { count: 0, bytes: 0 } });
  });

  it('that is a directory, or is not there, is told as that', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const link = join(place.path, 'link');
    symlinkSync(place.make('directory'), link);
    for (const [file, why] of [
      [link, /it is not a file/],
      [join(place.path, 'none'), /ENOENT/],
    ] as const) {
      await expect(store.retention.importRun(file, null, untilDone)).rejects.toMatchObject({
        code: 'export-invalid',
        message: expect.stringMatching(why),
      });
    }
  });

  it('cannot be made by the schema of an export alone: it must have one run', async () => {
    using place = createTemporaryDirectory();
    await using store = await openTestStore();
    const file = join(place.path, 'empty.ioexport');
    tamper(file, (database) =>
      database.exec(`pragma application_id = 0x696f4578; pragma user_version = 1; ${exportSchema}`),
    );
    await expect(store.retention.importRun(file, null, untilDone)).rejects.toMatchObject({ code: 'export-invalid' });
    expect(existsSync(file)).toBe(true);
  });
});

describe('an import that was cut off', () => {
  it('while it copied has its copy swept by the next pruning, and one that is under way keeps its own', async () => {
    await using store = await openTestStore();
    const [stale, fresh] = ['journal.db.1.import', 'journal.db.2.import'].map((name) => join(store.home, name));
    for (const file of [stale, fresh]) writeFileSync(file ?? '', 'half');
    utimesSync(stale ?? '', 1, 1);
    await store.retention.prune({ before: null, toBytes: null, isDryRun: false }, untilDone);
    expect(readdirSync(store.home).filter((name) => name.endsWith('.import'))).toEqual([basename(fresh ?? '')]);
  });

  it('is not seen, and the next pruning takes away what it has left', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const runId = await writeRun(journal, { texts: ['half way in'] });
    const events = journal.reader.readEvents(runId);
    await retention.prune({ before: null, toBytes: null, isDryRun: false }, untilDone);
    const blobs = ['{}', 'half way in'].map((text) => createBlob(text, { origin: 'engine' }));
    const place = await journal.keeper.beginImport(runId);
    await journal.keeper.addImported(place, events, blobs);
    expect([journal.reader.listRuns(), await journal.keeper.findHidden()]).toEqual([[], []]);
    await journal.close();
    await using next = await openTestStore(store.home);
    next.journal.reader.listRuns();
    const dead = new SqliteDatabase(join(store.home, 'journal.db'));
    dead.exec("update lease set boot = 'before', liveness = ''");
    dead.close();
    const report = await next.retention.prune({ before: null, toBytes: null, isDryRun: false }, untilDone);
    expect(report).toMatchObject({ removed: [], events: 3, blobs: 2 });
    expect((await next.retention.stats()).fileBytes).toBeGreaterThan(0);
  });
});
