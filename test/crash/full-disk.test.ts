// Disks that are full in the middle of a run. One that holds the home ends the run, one that holds the workspace fails a
// call; in both cases nothing is half written, and the run goes on once there is space.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openScenario, type ScenarioContract } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

/** Text that no compression makes much smaller. */
const noise = (place: number) => Array.from({ length: 9000 }, (_each, at) => Math.sin(at * 31 + place)).join('\n');
const write = (path: string, content: string) => ({ tool: 'write_file', arguments: { path, content } });
const claim = { text: 'Done.' };
const contract: ScenarioContract = {
  verification: { kind: 'command', argv: ['grep', '-q', 'much', 'a.txt'] },
  budgets: { steps: 9 },
};

describe.skipIf(!canMount())('a disk that fills up (a disk of its own can only be mounted by root)', () => {
  it('and holds the home ends the run with code 8; the journal stays readable, and resume goes on', async () => {
    const script: Script = ({ position }) =>
      position < 12 ? { calls: [write(`${position}.txt`, noise(position))] } : claim;
    await using scenario = await openScenario(script);
    using place = createTemporaryDirectory();
    using small = mountSmallDisk(place.path, '1500k');
    const call = (...args: readonly string[]) =>
      runCli([...args, '--json', '--home', place.path], {
        environment: scenario.environment,
        directory: scenario.workspace,
      });
    const full = await call('run', '--goal', 'x', '--steps', '20', '--approve', 'all');
    expect([full.exitCode, parseLines(full.stdout).at(-1)]).toMatchObject([
      8,
      { exitCode: 8, outcome: { kind: 'storeFailed' } },
    ]);
    expect(full.stderr).toMatch(/the disk or its quota is full/);
    expect(full.stderr).toMatch(/Free some space and resume/);

    const [run] = parseLines((await call('runs')).stdout);
    const trace = await call('trace', String(run?.runId));
    expect([trace.exitCode, trace.stderr]).toEqual([0, '']);
    small.grow();
    const resumed = await call('resume', String(run?.runId));
    expect([resumed.exitCode, parseLines(resumed.stdout).at(-1)]).toMatchObject([0, { outcome: { kind: 'finished' } }]);
    expect(Array.from({ length: 12 }, (_each, at) => scenario.read(`${at}.txt`) === noise(at))).toEqual(
      Array(12).fill(true),
    );
    const replayed = await call('replay', String(run?.runId));
    expect([replayed.exitCode, parseLines(replayed.stdout).at(-1)]).toMatchObject([0, { divergence: null }]);
  });

  it('and holds the workspace fails the write with that reason, leaves the old file whole, and is no end of the run', async () => {
    const big = 'much\n'.repeat(100_000);
    const script: Script = ({ position }) =>
      [{ calls: [write('a.txt', 'old\n')] }, writesBig, claim, writesBig][position] ?? claim;
    const writesBig = { calls: [write('a.txt', big)] };
    await using scenario = await openScenario(script);
    using small = mountSmallDisk(scenario.workspace, '64k');
    const handle = await scenario.start(contract, { approve: 'all' });
    for await (const events of handle.events()) {
      if (!events.some(({ type }) => type === 'check-finish') || scenario.read('a.txt') !== 'old\n') continue;
      expect(readdirSync(scenario.workspace)).toEqual(['a.txt']);
      small.grow();
    }
    expect((await handle.result).outcome).toEqual({ kind: 'met', checked: true });
    const told = scenario.messages(-1).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => content)).toEqual([
      expect.stringContaining('a.txt'),
      expect.stringContaining('the disk is full'),
      expect.stringContaining('a.txt'),
    ]);
    expect([scenario.read('a.txt') === big, readdirSync(scenario.workspace)]).toEqual([true, ['a.txt']]);
  });
});
