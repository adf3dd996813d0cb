// A machine that was started again: numbers of processes are given anew there, so whoever has the number of the dead driver by
// now is somebody else.
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readProcessState } from '../../src/engine/process/process-identity.ts';
import { changeStore } from '../support/change-store.ts';
import { openScenario } from '../support/open-scenario.ts';
import { startCli } from '../support/run-cli.ts';

describe('a run whose machine was started again (a new boot id)', () => {
  it('is free at once, although a living process has number and start of its driver, which is left alone', async () => {
    await using scenario = await openScenario(({ position, repeats }) => {
      if (position === 1) return repeats === 0 ? { fault: { kind: 'stall-after-headers' } } : { text: 'Done.' };
      return { calls: [{ tool: 'write_file', arguments: { path: 'a.txt', content: 'written\n' } }] };
    });
    await using cli = startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', scenario.home], {
      environment: scenario.environment,
      input: JSON.stringify(scenario.contract()),
    });
    await scenario.server.until((requests) => requests.length >= 2);
    cli.kill('SIGKILL');
    await cli.end;
    using other = startOther();
    const startTime = readProcessState(other.pid)?.startTime ?? '';
    changeStore(
      scenario.home,
      `update lease set boot = 'an earlier start', pid = ${other.pid}, start_time = '${startTime}'`,
    );
    const [run] = await scenario.engine.listRuns();
    if (run === undefined) throw new Error('The run is not in the journal');
    expect(run.owner).toEqual({ pid: other.pid, alive: false, certain: true });
    const { result } = await scenario.resume(run.runId);
    expect([result.outcome, result.usage.unknown.requests]).toEqual([{ kind: 'finished', checked: false }, 1]);
    expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1, 1]);
    expect(readProcessState(other.pid)?.ended).toBe(false);
  });
});

function startOther(): Disposable & { readonly pid: number } {
  const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
  return { pid: child.pid ?? 0, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}
