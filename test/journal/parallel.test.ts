// Many processes on one store.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { journalWorkerUrl } from '../../src/engine/journal/journal-worker-url.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import { createTemporaryHome } from './journal-samples.ts';

const program = join(import.meta.dirname, '../fixtures/journal-appender.ts');

describe('eight processes that create, open and append to one store at once', () => {
  it('all succeed and leave every event (anomalyco/opencode#21215)', async () => {
    using home = createTemporaryHome();
    const outputs = await Promise.all(
      Array.from({ length: 8 }, () => promisify(execFile)(process.execPath, [program, home.path, '20'])),
    );
    const printed = outputs.map(({ stdout }) => stdout.trim().split('\n'));
    const journal = await openJournal({ home: home.path, workerUrl: journalWorkerUrl() });
    const stored = journal.reader.listRuns().map(({ runId, owner }) => ({
      runId,
      owner,
      seqs: journal.reader.readEvents(runId).map(({ seq }) => seq),
    }));
    await journal.close();
    const wanted = printed.map(([runId]) => ({
      runId,
      owner: null,
      seqs: Array.from({ length: 21 }, (_, n) => n + 1),
    }));
    const byRun = (left: { runId: string | undefined }, right: { runId: string | undefined }) =>
      (left.runId ?? '').localeCompare(right.runId ?? '');
    expect(stored.toSorted(byRun)).toEqual(wanted.toSorted(byRun));
  });
});
