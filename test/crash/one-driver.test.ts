// Whoever takes up runs after a crash meets others who do the same, and runs that are alive: of all of them one drives.
import { describe, expect, it } from 'vitest';
import type { RunId } from '../../src/engine/index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { type CliEnd, parseLines, type RunningCli, startCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';

/** After a write, nobody is ever answered. */
const stalls: Script = ({ position }) =>
  position === 0
    ? { calls: [{ tool: 'write_file', arguments: { path: 'a.txt', content: 'written\n' } }] }
    : { fault: { kind: 'stall-after-headers' } };

const resume = ({ home, environment }: Scenario, runId: RunId): RunningCli =>
  startCli(['resume', runId, '--json', '--home', home], { environment });

describe('a run that is alive (dbos-inc/dbos-transact-java#491)', () => {
  it('is taken up again neither by the engine that drives it nor by another one of its process', async () => {
    await using scenario = await openScenario(stalls);
    const handle = await scenario.start({}, { approve: 'all' });
    await scenario.server.until((requests) => requests.length === 2);
    for (const engine of [scenario.engine, scenario.openEngine()]) {
      await expect(engine.resumeRun(handle.runId)).rejects.toMatchObject({ code: 'run-owned' });
    }
    handle.interrupt('SIGTERM');
    expect((await handle.result).outcome.kind).toBe('interrupted');
    const events = await scenario.engine.readEvents(handle.runId);
    expect([scenario.server.requests.length, events.filter(({ type }) => type === 'run-resume')]).toEqual([2, []]);
  });

  it('has one driver, of four processes that take it up at once when its first one is killed', async () => {
    await using scenario = await openScenario(stalls);
    await using first = startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', scenario.home], {
      environment: scenario.environment,
      input: JSON.stringify(scenario.contract()),
    });
    await scenario.server.until((requests) => requests.length === 2);
    first.kill('SIGKILL');
    await first.end;
    const [run] = await scenario.engine.listRuns();
    if (run === undefined) throw new Error('The run is not in the journal');
    await using processes = new AsyncDisposableStack();
    const all = Array.from({ length: 4 }, () => processes.use(resume(scenario, run.runId)));
    const refused = await untilEnded(all, 3);
    expect(refused.map(({ exitCode, stdout }) => [exitCode, parseLines(stdout).at(-1)?.error])).toEqual(
      refused.map(() => [2, expect.objectContaining({ code: 'run-owned' })]),
    );
    await scenario.engine.cancelRun(run.runId, 'a person');
    await Promise.all(all.map(({ end }) => end));
    const events = await scenario.engine.readEvents(run.runId);
    expect(events.filter(({ type }) => type === 'run-resume').length).toBe(1);
    expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1, 1]);
    expect((await scenario.engine.readRun(run.runId)).outcome).toEqual({ kind: 'cancelled', by: 'a person' });
  });
});

/** The first so many of them to end. */
function untilEnded(all: readonly RunningCli[], count: number): Promise<CliEnd[]> {
  return new Promise((resolve) => {
    const ended: CliEnd[] = [];
    for (const { end } of all) void end.then((cli) => ended.push(cli) === count && resolve([...ended]));
  });
}
