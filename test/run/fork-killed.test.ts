// A fork whose process is killed: until its run is in the journal nothing is there that could be taken for a workspace, and
// from then on all of it is.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunId } from '../../src/engine/index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const edit = (old: string, to: string) => ({
  calls: [{ tool: 'edit_file', arguments: { path: 'a.txt', old, new: to } }],
});
const script = [
  { calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] },
  edit('one', 'two'),
  edit('two', 'three'),
  { text: 'Done.' },
  { text: 'Done again.' },
];

interface Opened {
  readonly scenario: Scenario;
  readonly runId: RunId;
  readonly directory: string;
}

async function open(): Promise<Opened> {
  const scenario = await openScenario(script, { files: { 'a.txt': 'one\n', 'b/c.txt': 'c\n' } });
  const { result } = await scenario.run({}, { approve: 'all' });
  return { scenario, runId: result.runId, directory: join(dirname(scenario.workspace), 'fork') };
}

/** Forks at step 2 in a process that dies at the named place; false when it came to its end before. */
async function forkUntil({ scenario, runId, directory }: Opened, crashPoint: string): Promise<boolean> {
  const environment = { ...scenario.environment, IO_STUDIO_CRASH_POINT: crashPoint };
  const args = ['fork', runId, '--at', '2', '--into', directory, '--home', scenario.home];
  const { signal, exitCode, stderr } = await runCli(args, { environment });
  expect([signal ?? exitCode, stderr]).toEqual([signal === null ? 0 : 'SIGKILL', '']);
  return signal !== null;
}

const listForks = async ({ scenario, runId }: Opened): Promise<RunId[]> =>
  (await scenario.engine.listRuns()).map((run) => run.runId).filter((id) => id !== runId);

const listStages = ({ directory }: Opened): string[] =>
  readdirSync(dirname(directory)).filter((name) => name.startsWith('.io-studio-fork-'));

const forkAgain = ({ scenario, runId, directory }: Opened) =>
  scenario.engine.forkRun(runId, { step: 2, place: { kind: 'copy', directory } });

describe('a fork that is killed', () => {
  it.each(['before-rename:1', 'after-rename:1', 'before-commit:1'])(
    'at %s, before its run is there, leaves an empty directory, which the next one makes its own',
    async (point) => {
      const opened = await open();
      await using _scenario = opened.scenario;
      expect(await forkUntil(opened, point)).toBe(true);
      expect([await listForks(opened), readdirSync(opened.directory)]).toEqual([[], []]);
      expect(listStages(opened)).toHaveLength(1);
      await forkAgain(opened);
      expect(readFileSync(join(opened.directory, 'a.txt'), 'utf8')).toBe('two\n');
      expect(listStages(opened)).toEqual([]);
    },
  );

  it.each(['after-commit:1', 'before-rename:2', 'after-rename:2'])(
    'at %s, once its run is there, is finished by whoever resumes it',
    async (point) => {
      const opened = await open();
      await using scenario = opened.scenario;
      expect(await forkUntil(opened, point)).toBe(true);
      const [forked] = await listForks(opened);
      if (forked === undefined) throw new Error('There is no fork');
      const { result } = await scenario.resume(forked, { approve: 'all' });
      expect(result.outcome.kind).toBe('finished');
      expect(readFileSync(join(opened.directory, 'b/c.txt'), 'utf8')).toBe('c\n');
      await forkAgain({ ...opened, directory: `${opened.directory}-2` });
      expect(listStages(opened)).toEqual([]);
    },
  );

  it('once its run is there, is finished by the next fork beside it too, and takes nobody elses place', async () => {
    const opened = await open();
    await using scenario = opened.scenario;
    expect(await forkUntil(opened, 'after-commit:1')).toBe(true);
    const [forked] = await listForks(opened);
    if (forked === undefined) throw new Error('There is no fork');
    writeFileSync(join(opened.directory, 'mine.txt'), 'mine\n');
    await expect(scenario.resume(forked)).rejects.toMatchObject({
      code: 'file-exists',
      remedy: expect.stringContaining('until then its files lie in'),
    });
    expect(readdirSync(opened.directory)).toEqual(['mine.txt']);
    rmSync(opened.directory, { recursive: true });
    const directory = `${opened.directory}-2`;
    await forkAgain({ ...opened, directory });
    expect(readFileSync(join(opened.directory, 'a.txt'), 'utf8')).toBe('two\n');
    expect([existsSync(directory), listStages(opened)]).toEqual([true, []]);
  });

  it('leaves what another home is making, and what somebody still makes, alone', async () => {
    const opened = await open();
    await using scenario = opened.scenario;
    expect(await forkUntil(opened, 'before-commit:1')).toBe(true);
    await using other = await openScenario([{ text: 'Done.' }], { files: { 'a.txt': 'one\n' } });
    const { runId } = (await other.run()).result;
    const directory = `${opened.directory}-2`;
    await other.engine.forkRun(runId, { place: { kind: 'copy', directory } });
    expect(listStages(opened)).toHaveLength(1);
    const taken = { kind: 'copy', directory: opened.directory } as const;
    await expect(other.engine.forkRun(runId, { place: taken })).rejects.toMatchObject({ code: 'file-exists' });
    expect((await forkAgain(opened)).workspace).toBe(opened.directory);
    expect([scenario.read('a.txt'), listStages(opened)]).toEqual(['three\n', []]);
  });
});

const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

describe.skipIf(!canTrace)('a fork (needs strace)', () => {
  it('has every file and directory of its workspace on the disk before its run is in the journal', async () => {
    const { scenario, runId, directory } = await open();
    await using _scenario = scenario;
    using place = createTemporaryDirectory();
    const log = join(place.path, 'log');
    const cli = [process.execPath, join(import.meta.dirname, '../../src/cli/index.ts')];
    const args = ['fork', runId, '--at', '2', '--into', directory, '--home', scenario.home];
    const traced = ['-f', '-y', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log, ...cli, ...args];
    const env = { ...process.env, ...scenario.environment, IO_STUDIO_CRASH_POINT: 'before-commit' };
    const child = spawn('strace', traced, { env, stdio: 'ignore' });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    const synced = [...readFileSync(log, 'utf8').matchAll(/sync\(\d+<([^>]*)>/g)].map(([, path = '']) => path);
    const stage = dirname(synced.find((path) => path.endsWith('/fork.json')) ?? '');
    const paths = ['a.txt', 'b/c.txt', 'b', '.'].map((path) => join(stage, 'workspace', path));
    for (const path of [...paths, stage, dirname(directory)]) {
      expect([path, synced.includes(path)]).toEqual([path, true]);
    }
  });
});
