// Machines that sleep and clocks that jump: a run that stood still goes on, and what is measured in time is measured in the
// time in which it was at work.
import { describe, expect, it } from 'vitest';
import { perform } from '../../src/engine/run/perform.ts';
import { plan } from '../../src/engine/run/plan.ts';
import { createRunClock } from '../../src/engine/run/run-clock.ts';
import { openDriver, toReply } from '../support/open-driver.ts';
import { openScenario } from '../support/open-scenario.ts';
import { parseLines, startCli } from '../support/run-cli.ts';

const day = 24 * 3_600_000;

describe('a run whose machine stood still', () => {
  it('goes on once it is woken up, as if nothing had been', async () => {
    await using scenario = await openScenario(
      ({ position }) =>
        position < 2
          ? { calls: [{ tool: 'list_dir', arguments: { path: '.' } }], delayMs: 200 }
          : { text: 'Done.', eventDelayMs: 1 },
      {},
    );
    await using cli = startCli(['run', '--contract', '-', '--json', '--home', scenario.home], {
      environment: scenario.environment,
      input: JSON.stringify(scenario.contract()),
    });
    await scenario.server.until((requests) => requests.length >= 2);
    cli.kill('SIGSTOP');
    const [run] = await scenario.engine.listRuns(); // Somebody else looks meanwhile, and finds it driven.
    if (run === undefined) throw new Error('The run is not in the journal');
    await expect(scenario.resume(run.runId)).rejects.toMatchObject({ code: 'run-owned' });
    cli.kill('SIGCONT');
    const { stdout, exitCode } = await cli.end;
    expect([exitCode, parseLines(stdout).at(-1)]).toMatchObject([0, { outcome: { kind: 'finished' } }]);
    expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1, 2]);
  });

  it.each([day, -day])('is not kept waiting, or hurried, by a wall clock that jumps by %i ms', async (jumpMs) => {
    const failure = { class: 'server', message: 'HTTP 503', retryable: true, charge: 'none' } as const;
    await using driver = await openDriver({ replies: [{ kind: 'failure', failure }, toReply('Done.')] });
    let jumpedMs = 0;
    let monotonicMs = 0;
    const hands = { nowMs: () => Date.now() + jumpedMs, monotonicMs: () => monotonicMs };
    const ports = { ...driver.ports, clock: createRunClock(hands, 0) };
    const planNow = () => plan(ports.recorder.state, { activeMs: ports.clock.activeMs() }, () => 'read');
    const [ask] = planNow();
    if (ask?.kind !== 'reason') throw new Error(`It does not ask: ${JSON.stringify(ask)}`);
    await perform(ports, ask, new AbortController().signal);
    const waits = planNow();
    jumpedMs = jumpMs;
    const stillWaits = planNow();
    monotonicMs = 60_000;
    expect([waits, stillWaits, planNow()]).toMatchObject([
      [{ kind: 'wait' }],
      [{ kind: 'wait' }],
      [{ kind: 'reason', attempt: 2 }],
    ]);
    expect(stillWaits).toEqual(waits);
  });
});
