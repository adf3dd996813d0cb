import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendText,
  at,
  createTemporaryHome,
  newRunId,
  sampleDecision,
  sampleJudgement,
  sampleRunStart,
  startSampleRun,
  toEvent,
} from '../../../test/journal/journal-samples.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { RunId } from '../../shared/id.ts';
import { BlobHash, rootAgentId } from '../../shared/id.ts';
import { createBlob } from './create-blob.ts';
import type { Journal } from './journal.ts';
import { journalWorkerUrl } from './journal-worker-url.ts';
import { openJournal } from './open-journal.ts';
import { createRedactor } from './redactor.ts';

interface TestJournal extends AsyncDisposable, Journal {
  readonly home: string;
}

async function openTestJournal(): Promise<TestJournal> {
  const home = createTemporaryHome();
  const journal = await openJournal({ home: home.path, workerUrl: journalWorkerUrl() });
  return {
    ...journal,
    home: home.path,
    async [Symbol.asyncDispose]() {
      await journal.close();
      home[Symbol.dispose]();
    },
  };
}

/** Changes the database behind the journal's back. */
function tamper(home: string, sql: string): void {
  const database = new SqliteDatabase(join(home, 'journal.db'));
  database.exec(sql);
  database.close();
}

const errorOf = async (act: () => unknown): Promise<string> => {
  try {
    await act();
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
};

describe('a run', () => {
  it('is read back as it was written, with its projections', async () => {
    await using journal = await openTestJournal();
    const { reader, writer } = journal;
    const start = sampleRunStart('A title');
    const runId = newRunId();
    const lease = await writer.createRun(runId, [start.event], start.blobs);
    const judged = sampleJudgement('src/a.txt');
    expect(await writer.append(lease, [judged, toEvent({ type: 'step-finish', activeMs: 1.5 })], [])).toEqual({
      kind: 'appended',
      firstSeq: 2,
    });
    const place = { runId, agentId: rootAgentId, step: 0, at };
    expect(reader.readEvents(runId)).toEqual([
      { ...place, seq: 1, ...start.event.body },
      { ...place, seq: 2, ...judged.body },
      { ...place, seq: 3, type: 'step-finish', activeMs: 1.5 },
    ]);
    expect(reader.readEvents(runId, 1, 1).map(({ seq }) => seq)).toEqual([2]);
    expect([reader.readHead(runId), reader.readHead(newRunId())]).toEqual([3, 0]);
    expect(reader.readTrace(runId, 1, 1)).toEqual([
      { seq: 2, agentId: 'root', step: 0, call: 0, type: 'act-judged', at, summary: 'allow read src/a.txt' },
    ]);
    expect(reader.readActs(runId)).toEqual([
      {
        seq: 2,
        agentId: 'root',
        step: 0,
        call: 0,
        act: 'read',
        target: 'src/a.txt',
        effect: 'allow',
        rule: null,
        layer: 'default',
      },
    ]);
    expect(reader.listRuns()).toEqual([
      {
        runId,
        title: 'A title',
        workspace: '/w',
        startedAt: at,
        lastAt: at,
        events: 3,
        outcome: null,
        imported: false,
        ready: false,
        owner: { pid: process.pid, alive: true, certain: true },
      },
    ]);
  });

  it('with an event of a wrong shape is refused before anything is written', async () => {
    await using journal = await openTestJournal();
    const lease = await startSampleRun(journal.writer);
    const wrong = toEvent({ type: 'step-finish', activeMs: -1 });
    expect(await errorOf(() => journal.writer.append(lease, [sampleJudgement('a'), wrong], []))).toBe('internal');
    expect(journal.reader.readHead(lease.runId)).toBe(1);
  });

  it.each([
    ['store-newer', "update event set body = json_set(body, '$.type', 'teleport-start')"],
    ['store-newer', "update event set body = json_set(body, '$.version', 2)"],
    ['store-damaged', "update event set body = '{'"],
  ])('is refused as %s when the reader finds: %s', async (code, sql) => {
    await using journal = await openTestJournal();
    const { runId } = await startSampleRun(journal.writer);
    tamper(journal.home, sql);
    expect(await errorOf(() => journal.reader.readEvents(runId))).toBe(code);
  });
});

describe('any interleaving of writers', () => {
  it('gives every run its events in order and without gaps', async () => {
    await using journal = await openTestJournal();
    const { reader, writer } = journal;
    const batches = fc.array(
      fc.record({ run: fc.nat(2), size: fc.integer({ min: 1, max: 4 }), person: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (plan) => {
        const leases = await Promise.all([1, 2, 3].map(() => startSampleRun(writer)));
        const runIds = leases.map(({ runId }) => runId);
        const results = await Promise.all(
          plan.map(({ run, size, person }) => {
            const lease = leases[run] ?? { runId: newRunId(), generation: 0 };
            const events = Array.from({ length: size }, (_, index) => sampleJudgement(String(index)));
            return person
              ? writer.appendPerson(lease.runId, { ...sampleDecision('r', 'ada'), subject: null }, [])
              : writer.append(lease, events, []);
          }),
        );
        expect(results.filter(({ kind }) => kind !== 'appended')).toEqual([]);
        const wanted = runIds.map((_runId, run) =>
          plan.filter((batch) => batch.run === run).reduce((sum, { size, person }) => sum + (person ? 1 : size), 1),
        );
        const seqs = runIds.map((runId) => reader.readEvents(runId).map(({ seq }) => seq));
        expect(seqs).toEqual(wanted.map((count) => Array.from({ length: count }, (_, index) => index + 1)));
      }),
      { numRuns: 25 },
    );
  });
});

describe('leases', () => {
  it('are held by a living owner, given up on release, and lost to the next generation', async () => {
    await using journal = await openTestJournal();
    const { writer } = journal;
    const first = await startSampleRun(writer);
    const { runId } = first;
    expect(await writer.takeLease(runId)).toEqual({
      kind: 'held',
      owner: expect.objectContaining({ pid: process.pid }),
      why: `process ${process.pid} drives it`,
    });
    await writer.releaseLease(first);
    const second = await writer.takeLease(runId);
    expect(second).toEqual({ kind: 'taken', lease: { runId, generation: 2 } });
    expect(await appendText(writer, first, 'late')).toEqual({ kind: 'lease-lost' });
    await writer.releaseLease(first);
    expect(await appendText(writer, { runId, generation: 2 }, 'in time')).toEqual({ kind: 'appended', firstSeq: 2 });
  });

  it('of a dead process are taken over at once, by whoever says that what it started is ended', async () => {
    await using journal = await openTestJournal();
    const { runId } = await startSampleRun(journal.writer);
    tamper(journal.home, "update lease set start_time = '1'");
    expect(journal.reader.listRuns().map(({ owner }) => owner)).toEqual([
      { pid: process.pid, alive: false, certain: true },
    ]);
    const first = await journal.writer.takeLease(runId);
    const owner = journal.reader.readOwner(runId);
    expect(first).toEqual({ kind: 'dead', owner });
    const second = owner === null ? null : await journal.writer.takeLease(runId, owner);
    expect(second).toEqual({ kind: 'taken', lease: { runId, generation: 2 } });
  });

  it('are given back when the journal is closed', async () => {
    using home = createTemporaryHome();
    const open = () => openJournal({ home: home.path, workerUrl: journalWorkerUrl() });
    const before = await open();
    const { runId } = await startSampleRun(before.writer);
    await before.close();
    const after = await open();
    expect(after.reader.listRuns().map(({ owner }) => owner)).toEqual([null]);
    expect(await after.writer.takeLease(runId)).toEqual({ kind: 'taken', lease: { runId, generation: 2 } });
    await after.close();
  });
});

describe('what a person says', () => {
  it('needs no lease, and what may be said once names the winner', async () => {
    await using journal = await openTestJournal();
    const { runId } = await startSampleRun(journal.writer);
    const say = (actor: string) => journal.writer.appendPerson(runId, sampleDecision('root/1/0', actor), []);
    expect(await say('ada')).toEqual({ kind: 'appended', seq: 2 });
    expect(await say('bob')).toEqual({
      kind: 'already',
      winner: {
        runId,
        agentId: 'root',
        step: 0,
        seq: 2,
        at,
        type: 'approval-decision',
        request: 'root/1/0',
        decision: 'approve',
        actor: 'ada',
      },
    });
  });
});

describe('contents with a secret', () => {
  const text = 'TOKEN=tok-1234567890\n';
  const redactor = createRedactor({ knownSecrets: [] });
  const sealed = createBlob(text, { origin: 'repository', redactor, original: 'seal' });

  async function storeSealed({ writer }: Journal): Promise<RunId> {
    const lease = await startSampleRun(writer);
    const event = toEvent({ type: 'observation', kind: 'check-evidence', content: sealed.ref });
    await writer.append(lease, [event], [sealed]);
    return lease.runId;
  }

  it('are readable masked, come back whole, and lie nowhere in the files (anthropics/claude-code#38417)', async () => {
    await using journal = await openTestJournal();
    await storeSealed(journal);
    expect(String(journal.reader.readBlob(sealed.ref.hash))).toBe('TOKEN=[redacted]\n');
    expect(String(journal.reader.readOriginal(sealed.ref.hash))).toBe(text);
    for (const name of ['journal.db', 'journal.db-wal', 'seal.key']) {
      expect(readFileSync(join(journal.home, name)).includes('tok-1234567890')).toBe(false);
    }
  });

  it('are masked once any writer has recognised the secret', async () => {
    await using journal = await openTestJournal();
    const lease = await startSampleRun(journal.writer);
    await appendText(journal.writer, lease, text);
    await storeSealed(journal);
    expect(String(journal.reader.readBlob(sealed.ref.hash))).toBe('TOKEN=[redacted]\n');
    expect(String(journal.reader.readOriginal(sealed.ref.hash))).toBe(text);
  });

  it.each<[what: string, spoil: (file: string) => void]>([
    ['lost', (file) => rmSync(file)],
    ['another one', (file) => writeFileSync(file, randomBytes(32))],
    ['cut short', (file) => writeFileSync(file, randomBytes(5))],
  ])('stay readable masked when the key is %s; only the original is an error', async (_what, spoil) => {
    await using journal = await openTestJournal();
    await storeSealed(journal);
    spoil(join(journal.home, 'seal.key'));
    expect(String(journal.reader.readBlob(sealed.ref.hash))).toBe('TOKEN=[redacted]\n');
    expect(await errorOf(() => journal.reader.readOriginal(sealed.ref.hash))).toBe('store-damaged');
  });

  it('are left out where many contents are read at once; what is whole of them comes once', async () => {
    await using journal = await openTestJournal();
    const [start] = journal.reader.readEvents(await storeSealed(journal));
    if (start?.type !== 'run-start') throw new Error('A run begins with run-start');
    const { hash } = start.system;
    const missing = BlobHash.parse('0'.repeat(64));
    const contents = journal.reader.readContents([hash, sealed.ref.hash, missing, hash]);
    expect([...contents].map(([name, bytes]) => [name, String(Buffer.from(bytes))])).toEqual([[hash, '{}']]);
  });

  it('that nobody stored are blob-missing', async () => {
    await using journal = await openTestJournal();
    await startSampleRun(journal.writer);
    expect(await errorOf(() => journal.reader.readBlob(sealed.ref.hash))).toBe('blob-missing');
    expect(await errorOf(() => journal.reader.readOriginal(sealed.ref.hash))).toBe('blob-missing');
  });
});

describe('a journal that is closed', () => {
  it('has written what was queued, can be closed again, and says so to everybody else', async () => {
    using home = createTemporaryHome();
    const open = () => openJournal({ home: home.path, workerUrl: journalWorkerUrl() });
    const journal = await open();
    const lease = await startSampleRun(journal.writer);
    const queued = Array.from({ length: 50 }, (_, index) => appendText(journal.writer, lease, `text ${index}`));
    await journal.close();
    expect(new Set((await Promise.all(queued)).map(({ kind }) => kind))).toEqual(new Set(['appended']));
    await journal.close();
    expect(await errorOf(() => appendText(journal.writer, lease, 'late'))).toBe('closed');
    expect(await errorOf(() => journal.reader.readHead(lease.runId))).toBe('closed');
    const again = await open();
    expect(again.reader.readHead(lease.runId)).toBe(51);
    await again.close();
  });

  it('of a store that cannot be opened was never open: the error names the file and what to do', async () => {
    using home = createTemporaryHome();
    writeFileSync(home.path, '');
    const opening = openJournal({ home: home.path, workerUrl: journalWorkerUrl() });
    await expect(opening).rejects.toMatchObject({
      code: 'store-unwritable',
      message: expect.stringContaining(join(home.path, 'journal.db')),
      remedy: expect.stringContaining('writable'),
    });
  });
});

describe('a worker that ends without being asked', () => {
  it('is an error for whoever waits for it, instead of a wait without end', async () => {
    using home = createTemporaryHome();
    const workerUrl = new URL('data:text/javascript,process.exit(3)');
    expect(await errorOf(() => openJournal({ home: home.path, workerUrl }))).toBe('internal');
  });
});

describe('watching a run', () => {
  it('gives the backlog in bounded batches, then what this process and others append, until it is aborted', async () => {
    await using journal = await openTestJournal();
    const lease = await startSampleRun(journal.writer);
    const events = Array.from({ length: 1_199 }, (_, index) => sampleJudgement(String(index)));
    await journal.writer.append(lease, events, []);
    const other = await openJournal({ home: journal.home, workerUrl: journalWorkerUrl() });
    const abort = new AbortController();
    const sizes: number[] = [];
    let seq = 0;
    for await (const batch of journal.reader.watch(lease.runId, 0, abort.signal)) {
      sizes.push(batch.length);
      seq = batch.at(-1)?.seq ?? seq;
      if (seq === 1_200) void appendText(journal.writer, lease, 'from here');
      if (seq === 1_201) void other.writer.appendPerson(lease.runId, sampleDecision('r', 'ada'), []);
      if (seq === 1_202) abort.abort();
    }
    await other.close();
    expect(sizes).toEqual([500, 500, 200, 1, 1]);
  });

  it('ends when the journal is closed', async () => {
    await using journal = await openTestJournal();
    const { runId } = await startSampleRun(journal.writer);
    const batches: number[] = [];
    for await (const batch of journal.reader.watch(runId, 0, new AbortController().signal)) {
      batches.push(batch.length);
      setImmediate(() => void journal.close());
    }
    expect(batches).toEqual([1]);
  });
});
