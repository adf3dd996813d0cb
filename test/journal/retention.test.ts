// How a store grows, what can be taken out of it, and that nobody who writes meanwhile loses anything by it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { rootAgentId } from '../../src/shared/id.ts';
import { appendText, at, createTemporaryHome, newRunId, startSampleRun } from './journal-samples.ts';
import { createNoise, createSealedBlob, type OpenedStore, openTestStore, untilDone, writeRun } from './written-runs.ts';

const everything = { before: null, toBytes: null, isDryRun: false } as const;
const finish = { type: 'run-finish', outcome: { kind: 'met', checked: true }, activeMs: 0 } as const;
const megabyte = 2 ** 20;

const readAll = ({ home }: OpenedStore, query: string): unknown[] => {
  const database = new SqliteDatabase(join(home, 'journal.db'), { readonly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
};

describe('the size of a store', () => {
  it('grows by what is new: of 1,000 results of 1 MB that say the same, one is kept (anomalyco/opencode#46833)', async () => {
    await using store = await openTestStore();
    const { writer } = store.journal;
    const lease = await startSampleRun(writer);
    const text = createNoise(megabyte, 1);
    await appendText(writer, lease, text);
    const { fileBytes, logBytes } = await store.retention.stats();
    for (let step = 1; step < 1000; step += 27) {
      await Promise.all(Array.from({ length: 27 }, () => appendText(writer, lease, text)));
    }
    const after = await store.retention.stats();
    expect(after.runs).toMatchObject([{ events: 1001 }]);
    expect(after.blobs).toMatchObject([
      { origin: 'contract', count: 1 },
      { origin: 'engine', count: 1 },
    ]);
    // The log is bounded by its checkpoints, and the events are all that came.
    expect(after.fileBytes + after.logBytes - fileBytes - logBytes).toBeLessThan(6 * megabyte);
    expect(after.eventBytes).toBeLessThan(400_000);
  });

  it('grows linearly: a step late in a run costs what one early in it does', async () => {
    await using store = await openTestStore();
    const { writer } = store.journal;
    const lease = await startSampleRun(writer);
    const stored: number[] = [];
    const append = async (from: number) => {
      for (let step = from; step < from + 10; step++) await appendText(writer, lease, createNoise(megabyte, step));
      const { eventBytes, blobs } = await store.retention.stats();
      stored.push(eventBytes + blobs.reduce((sum, { bytes }) => sum + bytes, 0));
    };
    for (const from of [0, 10, 20]) await append(from);
    const [first = 0, second = 0, third = 0] = stored;
    expect((third - second) / (second - first)).toBeCloseTo(1, 1);
    expect(first).toBeLessThan(11 * megabyte);
  });

  it('is told by run and kind, with what several runs share apart', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const first = await writeRun(journal, { texts: ['both', 'a'.repeat(50)] });
    const second = await writeRun(journal, { texts: ['both'] });
    const { runs, shared, unnamed, blobs } = await retention.stats();
    const size = { title: 'Fix the test', eventBytes: expect.any(Number) };
    expect(runs).toEqual([
      { ...size, runId: second, events: 3, ownBytes: 0, sharedBytes: 6 },
      { ...size, runId: first, events: 4, ownBytes: 50, sharedBytes: 6 },
    ]);
    expect({ shared, unnamed, blobs }).toEqual({
      shared: { count: 2, bytes: 6 },
      unnamed: { count: 0, bytes: 0 },
      blobs: [
        { origin: 'contract', count: 1, bytes: 2 },
        { origin: 'engine', count: 2, bytes: 54 },
      ],
    });
  });
});

describe('pruning', () => {
  it('holds a store of 30 days to those that are wanted, and the file shrinks (anomalyco/opencode#33356)', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const day = 24 * 60 * 60 * 1000;
    const runs = [];
    for (let age = 30; age > 0; age--) {
      const time = at - age * day;
      runs.push(await writeRun(journal, { time, texts: [createNoise(megabyte / 4, age)] }));
    }
    const before = await retention.stats();
    const limits = { before: at - 7.5 * day, toBytes: null };
    const foreseen = await retention.prune({ ...limits, isDryRun: true }, untilDone);
    const report = await retention.prune({ ...limits, isDryRun: false }, untilDone);
    expect(foreseen.removed).toEqual(report.removed);
    expect(foreseen.bytes).toBeLessThanOrEqual(report.bytes);
    expect(report).toMatchObject({ removed: runs.slice(0, 23), events: 69, blobs: 23 });
    expect(journal.reader.listRuns().map(({ runId }) => runId)).toEqual(runs.slice(23).toReversed());
    const { runs: left, freeBytes } = await retention.stats();
    expect([left.length, freeBytes]).toEqual([7, 0]);
    expect(report.usedBytes).toBeLessThan(before.fileBytes + before.logBytes - 4 * megabyte);
    const file = join(store.home, 'journal.db');
    await journal.close();
    expect(statSync(file).size).toBe(report.usedBytes);
  });

  it('to a size takes the oldest first, and no more than it needs', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const runs = [];
    for (const age of [3, 2, 1]) {
      runs.push(await writeRun(journal, { time: at - age, texts: [createNoise(megabyte, age)] }));
    }
    const { usedBytes } = await retention.prune({ ...everything, isDryRun: true }, untilDone);
    const report = await retention.prune(
      { before: null, toBytes: usedBytes - megabyte / 2, isDryRun: false },
      untilDone,
    );
    expect(report.removed).toEqual(runs.slice(0, 1));
  });

  it('never takes what can still be resumed, what is driven, or what another run names', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const interrupted = await writeRun(journal, { outcome: null, texts: ['shared'] });
    const paused = await writeRun(journal, { outcome: { kind: 'paused' } });
    const over = await writeRun(journal, { texts: ['shared', 'its own'] });
    const driven = await startSampleRun(journal.writer, newRunId());
    const report = await retention.prune(everything, untilDone);
    expect(report).toMatchObject({ removed: [over], events: 4, blobs: 1 });
    expect(report.kept).toEqual([
      { runId: driven.runId, why: 'it is being driven' },
      { runId: paused, why: 'it is not over and can still be resumed' },
      { runId: interrupted, why: 'it is not over and can still be resumed' },
    ]);
    const shared = journal.reader.readEvents(interrupted)[1];
    const text = shared?.type === 'observation' ? journal.reader.readBlob(shared.content.hash) : null;
    expect(new TextDecoder().decode(text ?? undefined)).toBe('shared');
    expect(journal.reader.readEvents(over)).toEqual([]);
  });

  it('leaves nothing of a run: no row, no sealed original, and none of its words in the file', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const secret = createSealedBlob('a very long secret that is sealed', 'a masked one of this run');
    const lease = await startSampleRun(journal.writer);
    const body = { type: 'observation', kind: 'check-evidence', content: secret.ref } as const;
    const place = { agentId: rootAgentId, step: 0, at };
    await journal.writer.append(lease, [{ ...place, body }], [secret]);
    await journal.writer.append(lease, [{ ...place, body: finish }], []);
    await journal.writer.releaseLease(lease);
    expect((await retention.prune(everything, untilDone)).removed).toEqual([lease.runId]);
    const tables = ['run', 'event', 'blob', 'event_blob', 'sealed', 'person_key', 'lease', 'trace_row', 'act'];
    expect(tables.flatMap((table) => readAll(store, `select * from ${table}`))).toEqual([]);
    await journal.close();
    expect(readFileSync(join(store.home, 'journal.db')).includes('masked one of this run')).toBe(false);
  });

  it('that was cut off is finished by the next one', async () => {
    await using store = await openTestStore();
    const { journal, retention } = store;
    const runId = await writeRun(journal, { texts: ['half gone'] });
    const hiding = await journal.keeper.hide(runId, 'over');
    expect(hiding.kind).toBe('hidden');
    expect([journal.reader.listRuns(), journal.reader.readHead(runId)]).toEqual([[], 0]);
    await retention.prune(everything, untilDone);
    expect(['run', 'event', 'blob'].flatMap((table) => readAll(store, `select * from ${table}`))).toEqual([]);
  });

  it('beside eight writers of the same contents leaves none dangling and loses no event', async () => {
    using home = createTemporaryHome();
    const program = (name: string) => join(import.meta.dirname, '../fixtures', name);
    const pruner = spawn(process.execPath, [program('store-pruner.ts'), home.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    pruner.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = once(pruner, 'close');
    await once(pruner.stdout, 'data');
    const write = () => promisify(execFile)(process.execPath, [program('run-writer.ts'), home.path, '25']);
    await Promise.all(Array.from({ length: 8 }, write));
    pruner.stdin.end();
    expect(await ended).toEqual([0, null]);
    await using store = await openTestStore(home.path);
    const left = store.journal.reader.listRuns();
    const removed = Number(output.replace('ready', ''));
    expect(removed + left.length).toBe(200);
    expect(removed).toBeGreaterThan(0);
    expect(left.map(({ events }) => events)).toEqual(left.map(() => 6));
    expect((await store.retention.verify({ runId: null, rebuild: false }, untilDone)).faults).toEqual([]);
    expect((await store.retention.stats()).unnamed).toEqual({ count: 0, bytes: 0 });
  });
});
