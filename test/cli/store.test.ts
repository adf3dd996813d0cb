// The store from the command line: what is told, what it ends with, and the way of a run from one home to another.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const open = () => openScenario(() => ({ text: 'Done.' }), { files: { 'a.txt': 'a' } });
const store = ({ home }: Pick<Scenario, 'home'>, ...args: string[]) => runCli(['store', ...args, '--home', home]);

describe('store', () => {
  it('tells sizes, what would go, and takes it out', async () => {
    await using scenario = await open();
    const { runId } = (await scenario.run()).result;
    const stats = await store(scenario, 'stats');
    expect([stats.exitCode, stats.stdout]).toEqual([
      0,
      expect.stringMatching(/journal\.db {2}\(quota 10\.0 GB\)\n {2}file /),
    ]);
    expect(stats.stdout).toContain(`${runId} `);
    const [json] = parseLines((await store(scenario, 'stats', '--json')).stdout);
    expect(json).toMatchObject({ runs: [{ runId, title: 'Do it.' }], quotaBytes: 10_000_000_000 });
    const dry = await store(scenario, 'prune', '--older-than', '0', '--dry-run');
    expect(dry.stdout).toMatch(new RegExp(`^${runId} {2}would go\n1 run would go, at least `));
    const kept = await store(scenario, 'prune', '--older-than', '1');
    expect(kept.stdout).toMatch(new RegExp(`^${runId} {2}stays: it is not old enough\n0 runs taken out`));
    const [report] = parseLines((await store(scenario, 'prune', '--older-than', '0', '--json')).stdout);
    expect(report).toMatchObject({ removed: [runId], kept: [], isDryRun: false });
    expect((await runCli(['runs', '--home', scenario.home])).stdout).toBe(`No runs in ${scenario.home}.\n`);
  });

  it('ends with 8 for a store that is not well, and with 0 once what can be made again is', async () => {
    await using scenario = await open();
    await scenario.run();
    await scenario.engine.close();
    const database = new SqliteDatabase(join(scenario.home, 'journal.db'));
    database.exec("update trace_row set summary = 'x' where position = 2");
    database.close();
    const ends = [
      await store(scenario, 'verify'),
      await store(scenario, 'verify', '--rebuild'),
      await store(scenario, 'verify'),
    ];
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([8, 0, 0]);
    expect(ends.map(({ stdout }) => stdout)).toEqual([
      expect.stringMatching(/^projection: run-\w+: trace_row is not .*\n {2}Run "io-studio store verify --rebuild"/),
      expect.stringMatching(/lists and traces made again\n/),
      expect.stringMatching(/nothing is wrong\.\n$/),
    ]);
  });

  it('carries a run from one home to another, where it is read, adopted and resumed', async () => {
    using place = createTemporaryDirectory();
    await using scenario = await openScenario(({ position }) =>
      position === 0 ? { calls: [{ tool: 'write_file', arguments: { path: 'b', content: 'b' } }] } : { text: 'Done.' },
    );
    const { runId } = (await scenario.run()).result;
    const [file, home, workspace] = [join(place.path, 'run.ioexport'), place.make('home'), place.make('workspace')];
    expect((await store(scenario, 'export', runId, file)).stdout).toMatch(`${runId} is in ${file}: `);
    const again = await store(scenario, 'export', runId, file);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
    const imported = await store({ home }, 'import', file);
    expect(imported.stdout).toContain(`"io-studio store adopt ${runId} --workspace DIR"`);
    expect((await runCli(['runs', '--home', home])).stdout).toMatch(/ {2}imported {10}Do it\./);
    expect((await runCli(['trace', runId, '--home', home])).stdout).toContain('imported from run.ioexport');
    const options = { environment: scenario.environment };
    const refused = await runCli(['resume', runId, '--home', home], options);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('store adopt')]);
    const taken = await runCli(['takeover', runId, '--home', home]);
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('store adopt')]);
    const adopted = await store({ home }, 'adopt', runId, '--workspace', workspace);
    expect(adopted.stdout).toContain('Its check, which is carried out here:\n  Nothing is checked');
    const resumed = await runCli(['resume', runId, '--approve', 'all', '--home', home], options);
    expect([resumed.exitCode, existsSync(join(workspace, 'b'))]).toEqual([0, true]);
  });

  it('archives a run, makes a backup, and warns of the key that goes with it', async () => {
    using place = createTemporaryDirectory();
    await using scenario = await open();
    const { runId } = (await scenario.run()).result;
    const backup = await store(scenario, 'backup', join(place.path, 'backup.db'));
    expect(backup.stdout).toMatch(/backup\.db: 1 run, \d+ events, /);
    const file = join(place.path, 'run.ioexport');
    expect((await store(scenario, 'archive', runId, file, '--json')).exitCode).toBe(0);
    const gone = await store(scenario, 'verify', runId);
    expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringContaining(`There is no run ${runId}`)]);
    expect((await store(scenario, 'import', file)).exitCode).toBe(0);
  });

  it.each([
    [[], 'takes one of stats, prune'],
    [['prune'], 'Say what may go'],
    [['prune', '--older-than', 'x'], 'takes a number of days'],
    [['prune', '--to-size', 'big'], 'takes a number of bytes'],
    [['export', 'x', 'y'], 'is not a run id'],
    [['import'], 'takes one file'],
    [['adopt', `run-${'0'.repeat(22)}`], 'takes --workspace DIR'],
  ])('%j is refused with what is missing', async (args, says) => {
    using place = createTemporaryDirectory();
    const end = await store({ home: place.path }, ...args);
    expect([end.exitCode, end.stdout, end.stderr]).toEqual([2, '', expect.stringContaining(says)]);
  });
});

describe('a store over its quota', () => {
  it('is said in one line by run and resume, and stops neither (temporalio/features#705)', async () => {
    await using scenario = await open();
    const options = { environment: { ...scenario.environment, IO_STUDIO_STORE_QUOTA: '10kB' } };
    const args = ['--goal', 'Do it.', '--workspace', scenario.workspace, '--home', scenario.home];
    const run = await runCli(['run', ...args], options);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(
      /^io-studio: the store .*journal\.db has \d+ bytes, more than its quota of 10000: "io-studio store prune" makes room\n$/,
    );
    const quiet = await runCli(['run', ...args], {
      environment: { ...options.environment, IO_STUDIO_STORE_QUOTA: 'none' },
    });
    expect([quiet.exitCode, quiet.stderr]).toEqual([0, '']);
  });

  it("goes by what the person's own policy says, but for a process that was told something else", async () => {
    await using scenario = await open();
    const run = async (quota: string) => {
      const environment = { ...scenario.environment, IO_STUDIO_STORE_QUOTA: quota };
      const args = ['--goal', 'Do it.', '--workspace', scenario.workspace, '--home', scenario.home];
      const { exitCode, stderr } = await runCli(['run', ...args], { environment });
      return [exitCode, stderr];
    };
    const policy = join(scenario.home, 'policy.jsonc');
    writeFileSync(policy, '{ "store": { "quota": "10KiB" } }', { mode: 0o600 });
    const passed = expect.stringMatching(/^io-studio: .* more than its quota of 10240: .*\n$/);
    expect([await run(''), await run('1GB')]).toEqual([
      [0, passed],
      [0, ''],
    ]);
    expect(await run('much')).toEqual([0, expect.stringMatching(/^io-studio: IO_STUDIO_STORE_QUOTA is "much", .*\n$/)]);
    expect(JSON.parse((await store(scenario, 'stats', '--json')).stdout)).toMatchObject({ quotaBytes: 10_240 });
    writeFileSync(policy, '{ "store": { "quota": "much" } }', { mode: 0o600 });
    expect(await run('')).toEqual([2, expect.stringContaining('line 1: store.quota "much" is no size')]);
  });
});
