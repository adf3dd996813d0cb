// A run that one process drives, looked at and spoken to by others, all of them the command line as people start it.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeVariable } from '../../src/engine/process/process-index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { type CliEnd, parseLines, type RunningCli, runCli, startCli } from '../support/run-cli.ts';
import { findTerminalObstacle, runInTerminal } from '../support/run-in-terminal.ts';
import { containment, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';

const first = 'root/1.0';
const second = 'root/1.1';

const open = (script: TreeScript): Promise<Scenario> => openScenario(toTreeScript(script));

const cli = (scenario: Scenario, ...args: string[]): Promise<CliEnd> =>
  runCli([...args, '--home', scenario.home], { environment: scenario.environment });

const start = (scenario: Scenario, ...args: string[]): RunningCli =>
  startCli([...args, '--home', scenario.home], { environment: scenario.environment });

/** Starts a run of two agents, the first of which is held back by `gate`, while the second is never answered. */
async function startTwo(gate: Promise<void>) {
  const scenario = await open({
    root: [{ calls: [spawn('Write it.'), spawn('Wait.')] }, { text: 'All done.' }],
    [first]: [{ calls: [write('a.txt', '1')], after: gate }, { text: 'Written.' }],
    [second]: [{ fault: { kind: 'stall-after-headers' } }],
  });
  scenario.write('contract.json', JSON.stringify({ ...scenario.contract(), containment }));
  const run = start(scenario, 'run', '--contract', join(scenario.workspace, 'contract.json'), '--approve', 'all');
  const runId = await run.untilLine((line) => line.startsWith('run-'));
  await scenario.server.until((requests) => requests.length === 3);
  return { scenario, run, runId };
}

describe('the agents of a run', () => {
  it('are shown as they change, and each is paused, steered and let go on, from other processes', async () => {
    const gate = Promise.withResolvers<void>();
    const { scenario, run, runId } = await startTwo(gate.promise);
    await using _scenario = scenario;
    await using _run = run;
    await using watch = start(scenario, 'tree', runId, '--watch');
    await watch.untilLine((line) => line.includes(`${second}  working: asks its model`));
    const paused = await cli(scenario, 'pause', runId, '--agent', first);
    expect([paused.exitCode, paused.stdout]).toEqual([
      0,
      expect.stringContaining(`${first} of run ${runId} is paused`),
    ]);
    gate.resolve();
    await watch.untilLine((line) => /root\/1\.0 {2}paused by person:\S+ {2}1 step/.test(line));
    const steered = await cli(scenario, 'steer', runId, '--agent', first, 'Mind the gap.');
    const goesOn = await cli(scenario, 'unpause', runId, '--agent', first);
    expect([steered.exitCode, goesOn.exitCode]).toEqual([0, 0]);
    await watch.untilLine((line) => line.includes(`${first}  ended: finished`));
    expect(JSON.stringify(scenario.messages(-1))).toContain('Mind the gap.');
  });

  it('are cancelled one by one: the others go on, and every reading of the run names whom it was about', async () => {
    const { scenario, run, runId } = await startTwo(Promise.resolve());
    await using _scenario = scenario;
    await using _run = run;
    await using watch = start(scenario, 'tree', runId, '--watch');
    await watch.untilLine((line) => line.includes(`${first}  ended: finished`));
    const cancelled = await cli(scenario, 'cancel', runId, '--agent', second);
    const [end, watched] = [await run.end, await watch.end];
    expect([cancelled.exitCode, end.exitCode, watched.exitCode]).toEqual([0, 0, 0]);
    expect(end.stdout).toMatch(/\n {2}root\/1\.0: write_file a\.txt {2}ok.*\n/);
    expect(end.stdout).toMatch(/\n {2}root\/1\.1: cancelled by person:\S+\n/);
    expect(watched.stdout).toMatch(/root\/1\.1 {2}ended: cancelled by person:[\s\S]*FINISHED/);
    const trace = await cli(scenario, 'trace', runId);
    expect(trace.stdout).toMatch(/run-cancel +root\/1\.1: person:\S+ cancels\n/);
    const nodes = parseLines((await cli(scenario, 'tree', runId, '--json')).stdout);
    expect(nodes.map(({ agentId, steps }) => [agentId, steps])).toEqual([
      ['root', 2],
      [first, 2],
      [second, 1],
    ]);
  });

  it('are not spoken to once they are over, nor by what a run has started itself', async () => {
    await using scenario = await open({ root: [{ text: 'Done.' }] });
    const { result } = await scenario.run();
    const late = await cli(scenario, 'cancel', result.runId);
    expect([late.exitCode, late.stderr]).toEqual([
      2,
      expect.stringContaining(`Run ${result.runId} is over (finished)`),
    ]);
    const environment = { ...scenario.environment, [treeVariable]: 'anything' };
    const own = await runCli(['pause', result.runId, '--home', scenario.home], { environment });
    expect([own.exitCode, own.stderr]).toEqual([2, expect.stringContaining('this process was started by run')]);
  });

  it('are drawn again in their place on a terminal', async ({ skip }) => {
    const obstacle = findTerminalObstacle();
    skip(obstacle !== null, obstacle ?? '');
    const gate = Promise.withResolvers<void>();
    const { scenario, run, runId } = await startTwo(gate.promise);
    await using _scenario = scenario;
    await using _run = run;
    const program = join(import.meta.dirname, '../../src/cli/index.ts');
    const environment = { ...scenario.environment, TERM: 'xterm' };
    await using terminal = runInTerminal(
      `exec ${process.execPath} ${program} tree ${runId} --watch --home ${scenario.home}`,
      { directory: scenario.workspace, environment },
    );
    await terminal.untilShown(`${first}  working: asks its model`);
    gate.resolve();
    await terminal.untilShown(`\u001b[4A\r\u001b[J`);
    await terminal.untilShown(`${first}  ended: finished`);
    await cli(scenario, 'cancel', runId);
    await terminal.untilShown('CANCELLED');
    expect(await terminal.exitCode).toBe(0);
    expect((await run.end).exitCode).toBe(9);
  });

  it('that have reached the ceiling of the run go on when it is raised and resumed', async () => {
    await using scenario = await open({
      root: [{ calls: [spawn('Work.')] }, { text: 'Done.' }],
      '*': [{ text: 'Done.' }],
    });
    const { result } = await scenario.run({ containment, budgets: { steps: 1 } }, { approve: 'all' });
    const refused = [
      await cli(scenario, 'raise', result.runId, '--steps', '5', '--tokens', '5'),
      await cli(scenario, 'raise', result.runId, '--steps', 'many'),
      await cli(scenario, 'raise', result.runId, '--tokens', '1'),
    ];
    expect(refused.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
    const raised = await cli(scenario, 'raise', result.runId, '--steps', 'none');
    expect([raised.exitCode, raised.stdout]).toEqual([
      0,
      `Run ${result.runId} has no limit on steps of its own any more.\n`,
    ]);
    const resumed = await cli(scenario, 'resume', result.runId);
    expect(resumed.exitCode).toBe(0);
  });
});
