// What a run was told is durable is there after the process was killed, at whatever moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createReader } from '../../src/engine/journal/create-reader.ts';
import { RunId } from '../../src/shared/id.ts';
import { createTemporaryHome } from './journal-samples.ts';

const program = join(import.meta.dirname, '../fixtures/journal-appender.ts');

interface Killed {
  readonly runId: RunId | null;
  readonly acknowledged: number[];
}

/** Runs the appender and kills it once it has acknowledged that many events, or lets a crash point do it. */
async function runUntilKilled(home: string, killAfter: number, crashPoint = ''): Promise<Killed> {
  const child = spawn(process.execPath, [program, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, IO_STUDIO_CRASH_POINT: crashPoint },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > killAfter) child.kill('SIGKILL');
  });
  await once(child, 'close');
  // A line without its end was not acknowledged.
  const [runId, ...seqs] = output.split('\n').slice(0, -1);
  return { runId: runId === undefined ? null : RunId.parse(runId), acknowledged: seqs.map(Number) };
}

function readSeqs(home: string, runId: RunId): number[] {
  const { reader } = createReader(home);
  try {
    return reader.readEvents(runId).map((event) => {
      if (event.type === 'observation') reader.readBlob(event.content.hash);
      return event.seq;
    });
  } finally {
    reader.close();
  }
}

function checkIntegrity(home: string): unknown {
  const database = new Database(join(home, 'journal.db'), { readonly: true });
  try {
    return [database.pragma('integrity_check', { simple: true }), database.pragma('foreign_key_check')];
  } finally {
    database.close();
  }
}

describe('a killed process', () => {
  it('loses nothing that was acknowledged: twenty kills at random moments, four at a time in one store', async () => {
    using home = createTemporaryHome();
    for (let round = 0; round < 5; round++) {
      const kills = Array.from({ length: 4 }, () => runUntilKilled(home.path, 1 + Math.floor(Math.random() * 60)));
      for (const { runId, acknowledged } of await Promise.all(kills)) {
        const seqs = runId === null ? [] : readSeqs(home.path, runId);
        expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
        expect(acknowledged.filter((seq) => !seqs.includes(seq))).toEqual([]);
      }
      expect(checkIntegrity(home.path)).toEqual(['ok', []]);
    }
  }, 180_000);

  it.each([
    ['before-commit', 'keeps nothing of the transaction', 0],
    ['after-commit', 'keeps all of the transaction, although nobody heard of it', 1],
  ])('at %s %s', async (point, _title, kept) => {
    using home = createTemporaryHome();
    // The first transaction creates the run, the second one is cut off.
    const { runId, acknowledged } = await runUntilKilled(home.path, Number.POSITIVE_INFINITY, `${point}:2`);
    expect(acknowledged).toEqual([1]);
    const seqs = runId === null ? [] : readSeqs(home.path, runId);
    expect(seqs.length > 1).toBe(kept === 1);
    expect(checkIntegrity(home.path)).toEqual(['ok', []]);
  });
});
