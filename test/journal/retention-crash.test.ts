// Pruning, archiving and importing, killed at every commit they make: what is left is whole, and the next call finishes it.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readOwnTag } from '../../src/engine/process/owner-tag.ts';
import { runCli } from '../support/run-cli.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';
import { at } from './journal-samples.ts';
import { createNoise, openTestStore, untilDone, writeRun } from './written-runs.ts';

const everything = { before: null, toBytes: null, isDryRun: false } as const;
const tables = ['run', 'event', 'blob', 'event_blob', 'lease', 'trace_row'];

/** Three runs of which two share a content, and one that is not over. */
async function makeStore(home: string) {
  await using store = await openTestStore(home);
  const shared = createNoise(300_000, 1);
  const open = await writeRun(store.journal, { time: at - 2, outcome: null, texts: [shared] });
  const first = await writeRun(store.journal, { time: at - 1, texts: [shared, createNoise(5_000_000, 2)] });
  const second = await writeRun(store.journal, { time: at, texts: [createNoise(300_000, 3)] });
  return { open, first, second };
}

const countRows = (home: string): number[] => {
  const database = new SqliteDatabase(join(home, 'journal.db'), { readonly: true });
  try {
    return tables.map((table) => Number(database.prepare(`select count(*) from ${table}`).pluck().get()));
  } finally {
    database.close();
  }
};

/** Kills the command at its nth commit, for each n until there is none; `settle` looks at what every kill has left. */
async function killAtEach(
  source: TemporaryDirectory,
  args: readonly string[],
  settle: (home: string, place: TemporaryDirectory) => Promise<void>,
): Promise<number> {
  for (let commit = 1; ; commit++) {
    using place = createTemporaryDirectory();
    cpSync(source.path, place.path, { recursive: true });
    const home = place.make('home');
    const environment = { IO_STUDIO_CRASH_POINT: `after-commit:${commit}` };
    const end = await runCli(['store', ...args, '--home', home], { environment, directory: place.path });
    await settle(home, place);
    if (end.signal !== null) continue;
    expect(end).toMatchObject({ exitCode: 0 });
    return commit - 1;
  }
}

describe('killed before its file has a name', () => {
  it.each([
    ['a backup', ['backup']],
    ['an export', ['export', 'RUN']],
    ['an archive', ['archive', 'RUN']],
  ])(
    '%s leaves what the next one into that file removes, and nothing of those that are under way',
    async (_what, words) => {
      using place = createTemporaryDirectory();
      const home = place.make('home');
      const { first } = await makeStore(home);
      const args = [...words.map((word) => (word === 'RUN' ? first : word)), 'copy'];
      const start = (environment = {}) =>
        runCli(['store', ...args, '--home', home], { environment, directory: place.path });
      const list = () => readdirSync(place.path).filter((name) => name.startsWith('copy'));
      expect(await start({ IO_STUDIO_CRASH_POINT: 'before-rename' })).toMatchObject({ signal: 'SIGKILL' });
      expect(list()).toEqual([expect.stringMatching(/^copy\.\d+-.*\.new$/)]);
      const others = [`copy.${readOwnTag()}.00000000.new`, 'copy.mine.new', 'copy2.1-----.00000000.new'];
      for (const name of others) place.write(name, '');
      expect(await start()).toMatchObject({ exitCode: 0, stderr: '' });
      expect(list().sort()).toEqual(['copy', ...others].sort());
    },
  );
});

describe('killed at any of its commits', () => {
  it('a pruning leaves a store that is well, every run whole or gone, and what the next one finishes', async () => {
    using source = createTemporaryDirectory();
    const { open } = await makeStore(source.make('home'));
    const kills = await killAtEach(source, ['prune', '--to-size', '0'], async (home) => {
      await using store = await openTestStore(home);
      expect((await store.retention.verify({ runId: null, rebuild: false }, untilDone)).faults).toEqual([]);
      const left = store.journal.reader.listRuns();
      expect(left.map(({ runId }) => runId)).toContain(open);
      for (const { runId, events } of left) expect(store.journal.reader.readEvents(runId)).toHaveLength(events);
      await store.retention.prune(everything, untilDone);
      expect(store.journal.reader.listRuns().map(({ runId }) => runId)).toEqual([open]);
      // The run that stays has two events, a trace line and a reference for each, and two contents.
      expect(countRows(home)).toEqual([1, 2, 2, 2, 1, 2]);
    });
    expect(kills).toBeGreaterThan(6);
  }, 180_000);

  it('an import leaves nothing in sight or all of it, and no file of its own', async () => {
    using source = createTemporaryDirectory();
    await using from = await openTestStore();
    const runId = await writeRun(from.journal, { texts: [createNoise(5_000_000, 1), createNoise(300_000, 2)] });
    await from.retention.exportRun(runId, join(source.path, 'run.ioexport'), null);
    const kills = await killAtEach(source, ['import', 'run.ioexport'], async (home) => {
      await using store = await openTestStore(home);
      const runs = store.journal.reader.listRuns();
      expect(runs.map(({ events, imported }) => [events, imported])).toEqual(runs.map(() => [5, true]));
      await store.retention.prune(everything, untilDone);
      expect(countRows(home)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(readdirSync(home).filter((name) => name.endsWith('.import'))).toEqual([]);
    });
    expect(kills).toBeGreaterThan(2);
  }, 180_000);

  it('an archive has the run in the store or whole in its file', async () => {
    using source = createTemporaryDirectory();
    const { second } = await makeStore(source.make('home'));
    await killAtEach(source, ['archive', second, 'run.ioexport'], async (home, place) => {
      await using store = await openTestStore(home);
      const isThere = store.journal.reader.listRuns().some(({ runId }) => runId === second);
      const file = join(place.path, 'run.ioexport');
      if (isThere || !existsSync(file)) return expect(isThere).toBe(true);
      await store.retention.prune(everything, untilDone);
      await store.retention.importRun(file, null, untilDone);
      expect(store.journal.reader.readHead(second)).toBe(4);
    });
  }, 180_000);
});
