import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  createTemporaryHome,
  newRunId,
  sampleDecision,
  sampleJudgement,
  sampleObservation,
  sampleRunStart,
  toEvent,
} from '../../../test/journal/journal-samples.ts';
import { commitRequests } from './commit-requests.ts';
import { toEventText } from './event-text.ts';
import type { Lease } from './journal.ts';
import { closeStores, openStores } from './open-stores.ts';
import { rebuildProjections } from './projector.ts';
import type { Stores } from './stores.ts';
import type { WorkerReply, WriteRequest } from './worker-message.ts';

function openTestStores(): Disposable & Stores & { startRun(): Lease } {
  const home = createTemporaryHome();
  const stores = openStores(home.path);
  return {
    ...stores,
    startRun() {
      const { event, blobs } = sampleRunStart();
      const runId = newRunId();
      expect(commitRequests(stores, [{ kind: 'create-run', runId, events: [event], blobs }])).toEqual([
        { kind: 'lease', lease: { runId, generation: 1 } },
      ]);
      return { runId, generation: 1 };
    },
    [Symbol.dispose]() {
      closeStores(stores);
      home[Symbol.dispose]();
    },
  };
}

function toAppend(lease: Lease, text: string): WriteRequest {
  const { event, blobs } = sampleObservation(text);
  return { kind: 'append', lease, events: [event], blobs };
}

const appended = (firstSeq: number): WorkerReply => ({ kind: 'append', result: { kind: 'appended', firstSeq } });

const readAll = ({ database }: Stores, table: string) => database.prepare(`select * from ${table}`).all();

describe('requests that are committed together', () => {
  it('are refused one by one: a lost lease and a missing blob leave the others whole', () => {
    using stores = openTestStores();
    const [first, second] = [stores.startRun(), stores.startRun()];
    const stale: Lease = { ...first, generation: 7 };
    const nameless: WriteRequest = {
      kind: 'append',
      lease: first,
      events: [sampleJudgement('before'), sampleObservation('not sent').event],
      blobs: [],
    };
    const requests = [
      toAppend(first, 'a'),
      toAppend(stale, 'b'),
      nameless,
      toAppend(second, 'c'),
      toAppend(first, 'd'),
    ];
    expect(commitRequests(stores, requests)).toEqual([
      appended(2),
      { kind: 'append', result: { kind: 'lease-lost' } },
      expect.objectContaining({ kind: 'error', code: 'blob-missing' }),
      appended(2),
      appended(3),
    ]);
    expect(stores.database.prepare('select run, seq, type from event order by run, seq').raw().all()).toEqual([
      [1, 1, 'run-start'],
      [1, 2, 'observation'],
      [1, 3, 'observation'],
      [2, 1, 'run-start'],
      [2, 2, 'observation'],
    ]);
    expect(readAll(stores, 'blob')).toHaveLength(4);
  });

  it('of two that say what may be said once, the second is told who won', () => {
    using stores = openTestStores();
    const { runId } = stores.startRun();
    const decide = (actor: string): WriteRequest => ({
      kind: 'append-person',
      runId,
      event: sampleDecision('root/1/0', actor),
      blobs: [],
    });
    const [won, lost] = commitRequests(stores, [decide('ada'), decide('bob')]);
    expect(won).toEqual({ kind: 'person-append', seq: 2 });
    const { agentId, step, at, body } = sampleDecision('root/1/0', 'ada');
    expect(lost).toEqual({ kind: 'person-already', winner: toEventText({ agentId, step, seq: 2, at }, body) });
  });

  it('for a run that does not exist is an error that says so', () => {
    using stores = openTestStores();
    expect(commitRequests(stores, [{ kind: 'take-lease', cleared: null, runId: newRunId() }])).toEqual([
      expect.objectContaining({ kind: 'error', code: 'run-unknown' }),
    ]);
  });
});

describe('a full disk', () => {
  it('is store-full, keeps what was there, and takes events again once there is space', () => {
    using stores = openTestStores();
    const lease = stores.startRun();
    const { database } = stores;
    const pages = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${pages + 2}`);
    const noise = Array.from({ length: 4_000 }, (_, index) => Math.sin(index)).join();
    const replies = commitRequests(stores, [toAppend(lease, noise)]);
    expect(replies).toEqual([expect.objectContaining({ kind: 'error', code: 'store-full' })]);
    expect(readAll(stores, 'event')).toHaveLength(1);
    database.pragma(`max_page_count = ${pages + 1_000}`);
    expect(commitRequests(stores, [toAppend(lease, noise)])).toEqual([appended(2)]);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

describe('a store that another process does not let go of', () => {
  it('is store-busy after the wait, and writes nothing', () => {
    using stores = openTestStores();
    const lease = stores.startRun();
    const other = new SqliteDatabase(stores.file);
    other.exec('begin immediate');
    stores.database.pragma('busy_timeout = 1');
    const replies = commitRequests(stores, [toAppend(lease, 'a'), toAppend(lease, 'b')]);
    other.close();
    const busy = expect.objectContaining({ kind: 'error', code: 'store-busy' });
    expect(replies).toEqual([busy, busy]);
    expect(commitRequests(stores, [toAppend(lease, 'c')])).toEqual([appended(2)]);
  });
});

describe('projections', () => {
  it('made again from the events are the ones that were written beside them', () => {
    using stores = openTestStores();
    const lease = stores.startRun();
    const finish = toEvent({ type: 'run-finish', outcome: { kind: 'met', checked: true }, activeMs: 5 }, 1);
    commitRequests(stores, [
      { kind: 'append', lease, events: [sampleJudgement('a.txt'), sampleJudgement('b\n.txt'), finish], blobs: [] },
    ]);
    const tables = ['run', 'trace_row', 'act'];
    const before = tables.map((table) => readAll(stores, table));
    stores.database.exec(
      "delete from trace_row where position = 2; update act set target = 'wrong'; update run set title = ''",
    );
    rebuildProjections(stores.database);
    expect(tables.map((table) => readAll(stores, table))).toEqual(before);
    expect(before).toEqual([
      [
        {
          key: 1,
          id: lease.runId,
          title: 'Fix the test',
          workspace: '/w',
          started_at: finish.at,
          outcome: '{"kind":"met","checked":true}',
          imported_at: null,
        },
      ],
      [
        { position: 1, summary: 'Fix the test' },
        { position: 2, summary: 'allow read a.txt' },
        { position: 3, summary: 'allow read b .txt' },
        { position: 4, summary: 'met' },
      ],
      [
        { position: 2, kind: 'read', target: 'a.txt', effect: 'allow', rule: null, layer: 'default' },
        { position: 3, kind: 'read', target: 'b\n.txt', effect: 'allow', rule: null, layer: 'default' },
      ],
    ]);
  });
});

describe('closing', () => {
  it('leaves alone the lease of another process whose run got the place of one that was rolled back', () => {
    using home = createTemporaryHome();
    const [stores, others] = [openStores(home.path), openStores(home.path)];
    const create = (withBlobs: boolean): WriteRequest => {
      const { event, blobs } = sampleRunStart();
      return { kind: 'create-run', runId: newRunId(), events: [event], blobs: withBlobs ? blobs : [] };
    };
    expect(commitRequests(stores, [create(false)])).toMatchObject([{ kind: 'error', code: 'blob-missing' }]);
    expect(commitRequests(others, [create(true)])).toMatchObject([{ kind: 'lease', lease: { generation: 1 } }]);
    closeStores(stores);
    expect(readAll(others, 'lease')).toMatchObject([{ run: 1, generation: 1, released_at: null }]);
    closeStores(others);
  });
});

describe('storage', () => {
  it('keeps a content once, and which events name it', () => {
    using stores = openTestStores();
    const lease = stores.startRun();
    commitRequests(stores, [toAppend(lease, 'same'), toAppend(lease, 'same')]);
    expect(readAll(stores, 'event_blob')).toEqual([
      { blob: 1, position: 1 },
      { blob: 2, position: 2 },
      { blob: 2, position: 3 },
    ]);
    expect(() => stores.database.exec('delete from blob where key = 2')).toThrow('FOREIGN KEY');
  });

  it('compresses what that makes smaller and leaves the rest', () => {
    using stores = openTestStores();
    const lease = stores.startRun();
    commitRequests(stores, [toAppend(lease, 'short'), toAppend(lease, 'again and '.repeat(1_000))]);
    expect(stores.database.prepare('select codec, size, length(bytes) < 200 from blob').raw().all()).toEqual([
      ['raw', 2, 1],
      ['raw', 5, 1],
      ['zstd', 10_000, 1],
    ]);
  });
});
