// A process that is started right after the crash of another one can find a store that is not ready: somebody else has it, and
// its log is still to be read. Nothing is done, and nothing is asked of a model, before it is.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { startCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';

const script: Script = ({ position, repeats }) => {
  if (position > 0) return repeats === 0 ? { fault: { kind: 'stall-after-headers' } } : { text: 'Done.' };
  return { calls: [{ tool: 'write_file', arguments: { path: 'a.txt', content: 'written\n' } }] };
};

const holds: readonly (readonly [what: string, mode: 'normal' | 'exclusive'])[] = [
  ['is being written by', 'normal'],
  ['is as a whole in the hands of', 'exclusive'],
];

describe.skipIf(process.platform !== 'linux')('a run that is resumed right after kill -9 (needs /proc)', () => {
  it.each(holds)(
    'waits while its store %s another process, and then goes on with nothing lost or repeated (dbos-inc/dbos-transact-ts#1289)',
    async (_what, mode) => {
      await using scenario = await openScenario(script);
      const options = { environment: scenario.environment, input: JSON.stringify(scenario.contract()) };
      const place = ['--json', '--home', scenario.home];
      await using killed = startCli(['run', '--contract', '-', '--approve', 'all', ...place], options);
      await scenario.server.until((requests) => requests.length === 2);
      killed.kill('SIGKILL');
      await killed.end;
      const [run] = await scenario.engine.listRuns();
      if (run === undefined) throw new Error('The run is not in the journal');
      await scenario.engine.close();

      using store = holdStore(scenario, mode);
      await using resumed = startCli(['resume', run.runId, ...place], options);
      await expect.poll(() => isWaiting(resumed.pid), { timeout: 30_000 }).toBe(true);
      expect(scenario.server.requests.length).toBe(2);
      store.letGo();
      const { exitCode, stderr } = await resumed.end;
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1, 1]);
      expect(scenario.read('a.txt')).toBe('written\n');
    },
  );
});

/** As a process does that writes much at once, or that reads the log of a crash into the file. */
function holdStore({ home }: Scenario, mode: 'normal' | 'exclusive'): Disposable & { letGo(): void } {
  const database = new SqliteDatabase(join(home, 'journal.db'));
  database.pragma(`locking_mode = ${mode}`);
  database.exec('begin immediate; update run set title = title');
  const letGo = () => void database.close();
  return { letGo, [Symbol.dispose]: letGo };
}

/** SQLite sleeps between two looks at a lock; nothing else in the engine does. */
function isWaiting(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).some((thread) =>
    readFileSync(join(threads, thread, 'wchan'), 'utf8').includes('nanosleep'),
  );
}
