// Looking over a store: whatever is wrong is found, is told with what can be done, and stays as it is.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/engine/journal/journal.ts';
import type { BlobRef } from '../../src/shared/blob-ref.ts';
import { rootAgentId } from '../../src/shared/id.ts';
import { at, createTemporaryHome, newRunId, sampleJudgement, startSampleRun, toEvent } from './journal-samples.ts';
import { createNoise, createSealedBlob, openTestStore, untilDone, writeRun } from './written-runs.ts';

const wholeStore = { runId: null, rebuild: false } as const;
const sealed = createSealedBlob('the original with its secret', 'the [masked] one');

/** A store of two runs, of which the second holds a masked content; closed, so that it can be damaged. */
async function makeStore(home: string) {
  await using store = await openTestStore(home);
  const { journal } = store;
  const first = await writeRun(journal, { texts: [createNoise(20_000, 1)] });
  const lease = await startSampleRun(journal.writer, newRunId());
  const place = { agentId: rootAgentId, step: 0, at };
  const body = { type: 'observation', kind: 'check-evidence', content: sealed.ref } as const;
  const told = [{ ...place, body }, ...sampleReply(sealed.ref), sampleJudgement('a.txt')];
  await journal.writer.append(lease, told, [sealed]);
  return { first, second: lease.runId };
}

/** A reply that proposes one call. */
function sampleReply(message: BlobRef): NewEvent[] {
  const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 };
  const reservation = { inputTokens: 1, outputTokens: 1, costUsd: null };
  const spent = { firstEventMs: 0, durationMs: 0, activeMs: 0 };
  const calls = [{ call: 0, id: 'c', tool: 'read_file' }];
  return [
    toEvent({ type: 'model-start', attempt: 1, reservation, maxOutputTokens: 1, activeMs: 0 }, 1),
    toEvent({ type: 'model-finish', attempt: 1, message, finish: 'calls', calls, usage, costUsd: null, ...spent }, 1),
  ];
}

function damage(home: string, sql: string): void {
  const database = new SqliteDatabase(join(home, 'journal.db'));
  database.unsafeMode(true);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
}

/** The second run has one judged act: without it there is none. */
const judged = "where type = 'act-judged'";

describe('a store that is well', () => {
  it('has no fault, and is counted', async () => {
    using home = createTemporaryHome();
    await makeStore(home.path);
    await using store = await openTestStore(home.path);
    expect(await store.retention.verify(wholeStore, untilDone)).toEqual({
      file: join(home.path, 'journal.db'),
      runs: 2,
      events: 8,
      blobs: 3,
      withoutOriginal: 0,
      faults: [],
      isTruncated: false,
      rebuilt: [],
    });
  });
});

describe('a store with', () => {
  it.each<[what: string, sql: string, kind: string, told: RegExp]>([
    [
      'a changed content',
      "update blob set bytes = zeroblob(size), codec = 'raw' where size > 10000",
      'blob',
      /is not what it was when it was stored/,
    ],
    [
      'a cut content',
      'update blob set bytes = substr(bytes, 1, 9000) where size > 10000',
      'blob',
      /cannot be inflated to its 20000 bytes/,
    ],
    [
      'a changed original',
      'update sealed set bytes = zeroblob(length(bytes))',
      'original',
      /is not opened by the key, or was altered/,
    ],
    ['a content gone', 'delete from blob where size > 10000', 'reference', /names a blob that is not there/],
    [
      'a reference gone',
      'delete from event_blob where position = 2',
      'reference',
      /event 2 names content .* which is not kept with it/,
    ],
    ['a gap between events', 'delete from event where run = 1 and seq = 2', 'event', /after event 1 comes event 3/],
    ['an event that is not JSON', "update event set body = 'x' where position = 2", 'event', /is not JSON/],
    [
      'an event of another shape',
      `update event set body = json_remove(body, '$.target') ${judged}`,
      'event',
      /does not have the shape/,
    ],
    [
      'an event in the wrong row',
      `update event set at = at + 1 ${judged}`,
      'event',
      /is another one than its row says/,
    ],
    [
      'events that are no run',
      "update event set body = json_set((select body from event where position = 1), '$.seq', 2), type = 'run-start' where position = 2",
      'fold',
      /A run starts once/,
    ],
    [
      'a stale trace',
      "update trace_row set summary = 'x' where position = 2",
      'projection',
      /trace_row is not what events 1 to 3 say/,
    ],
    ['a forged act', "update act set effect = 'deny'", 'projection', /act is not what events/],
    [
      'a forged outcome',
      `update run set outcome = '{"kind":"refused","reason":""}' where key = 1`,
      'projection',
      /its line in the list of runs/,
    ],
    ['a table of somebody else', 'create table guest (a)', 'schema', /its table "guest" is not the one/],
    [
      'a trigger',
      'create trigger t after insert on event begin select 1; end',
      'schema',
      /its trigger "t" is not the one/,
    ],
  ])('%s is told so, with what can be done', async (_what, sql, kind, told) => {
    using home = createTemporaryHome();
    await makeStore(home.path);
    damage(home.path, sql);
    await using store = await openTestStore(home.path);
    const { faults } = await store.retention.verify(wholeStore, untilDone);
    expect(faults).toContainEqual({
      kind,
      runId: expect.toSatisfy((runId) => runId === null || typeof runId === 'string'),
      what: expect.stringMatching(told),
      remedy: expect.stringMatching(/./),
    });
    expect(await store.retention.verify(wholeStore, untilDone)).toMatchObject({ faults });
  });

  it('a damaged page keeps the rest from nobody, and does not end the look', async () => {
    using home = createTemporaryHome();
    await makeStore(home.path);
    const file = join(home.path, 'journal.db');
    const bytes = readFileSync(file);
    const place = bytes.indexOf('"type":"act-judged"');
    bytes.fill(0xff, place - (place % 4096), place - (place % 4096) + 64);
    writeFileSync(file, bytes);
    await using store = await openTestStore(home.path);
    const { faults } = await store.retention.verify(wholeStore, untilDone);
    expect(faults.map(({ kind }) => kind)).toContain('page');
  });

  it('a lost key is told by each original it opened', async () => {
    using home = createTemporaryHome();
    await makeStore(home.path);
    rmSync(join(home.path, 'seal.key'));
    await using store = await openTestStore(home.path);
    const { faults } = await store.retention.verify(wholeStore, untilDone);
    expect(faults).toMatchObject([{ kind: 'original', what: expect.stringContaining('there is no key') }]);
  });
});

describe('one run', () => {
  it('is looked over without the others', async () => {
    using home = createTemporaryHome();
    const { first, second } = await makeStore(home.path);
    damage(home.path, "update trace_row set summary = 'x' where position = 2");
    await using store = await openTestStore(home.path);
    const verify = (runId: typeof first) => store.retention.verify({ runId, rebuild: false }, untilDone);
    expect([(await verify(first)).faults.length, await verify(second)]).toMatchObject([
      1,
      { runs: 1, events: 5, blobs: 2, faults: [] },
    ]);
    await expect(verify(newRunId())).rejects.toMatchObject({ code: 'run-unknown' });
  });
});

describe('projections that are not what the events say', () => {
  it('are made again when that is asked for, and nothing else is touched', async () => {
    using home = createTemporaryHome();
    const { first } = await makeStore(home.path);
    await using store = await openTestStore(home.path);
    const trace = store.journal.reader.readTrace(first);
    damage(home.path, "update trace_row set summary = 'x'; update run set title = 'y' where key = 1");
    const report = await store.retention.verify({ runId: null, rebuild: true }, untilDone);
    expect(report).toMatchObject({
      faults: [],
      rebuilt: store.journal.reader
        .listRuns()
        .map(({ runId }) => runId)
        .toReversed(),
    });
    expect(store.journal.reader.readTrace(first)).toEqual(trace);
    expect(await store.retention.verify(wholeStore, untilDone)).toMatchObject({ faults: [], rebuilt: [] });
  });
});
