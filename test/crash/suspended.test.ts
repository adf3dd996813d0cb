// Machines that sleep and clocks that jump: a run that stood still goes on, and what is measured in time is measured in the
// time in which it was at work.
import { describe, expect, it } from 'vitest';
import { perform } from '../../src/engine/run/perform.ts';
import { plan } from '../../src/engine/run/plan.ts';
import { createRunClock } from '../../src/engine/run/run-clock.ts';
import { openDriver, toReply } from '../support/open-driver.ts';
import { openScenario } from '../support/open-scenario.ts';
import { parseLines, runCli, startCli } from '../support/run-cli.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';

const day = 24 * 3_600_000;
const jumpingClock = new URL('../fixtures/jumping-clock.ts', import.meta.url).href;

const write = (path: string) => ({ tool: 'write_file', arguments: { path, content: 'written\n' } });
const steps: readonly ScriptedReply[] = [
  { calls: [write('a.txt')] },
  { calls: [{ tool: 'shell', arguments: { command: 'cat a.txt' } }] },
  { calls: [write('b.txt')] },
];

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

  it.each([day, -day])(
    'comes to the same end, killed and resumed, under a wall clock that jumps by %i ms',
    async (jumpMs) => {
      await using scenario = await openScenario(({ position, repeats }) => {
        if (position === 2 && repeats === 0) return { fault: { kind: 'stall-after-headers' } };
        return steps[position] ?? { text: 'Done.' };
      });
      const place = ['--approve', 'all', '--json', '--home', scenario.home];
      const environment = {
        ...scenario.environment,
        NODE_OPTIONS: `--import ${jumpingClock}`,
        TEST_CLOCK_JUMP_MS: String(jumpMs),
      };
      const contract = {
        verification: { kind: 'command', argv: ['test', '-e', 'b.txt'] },
        budgets: { wallMs: day / 24 },
      };
      const input = JSON.stringify({ ...scenario.contract(), ...contract });
      await using killed = startCli(['run', '--contract', '-', ...place], { environment, input });
      await scenario.server.until((requests) => requests.length >= 3);
      killed.kill('SIGKILL');
      await killed.end;
      const [run] = await scenario.engine.listRuns();
      if (run === undefined) throw new Error('The run is not in the journal');
      const resumed = await runCli(['resume', run.runId, ...place], { environment });
      expect([resumed.exitCode, parseLines(resumed.stdout).at(-1)]).toMatchObject([
        0,
        { outcome: { kind: 'met', checked: true }, usage: { unknown: { requests: 1 } } },
      ]);
      expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1, 2, 2, 3]);
      const events = await scenario.engine.readEvents(run.runId);
      const jumps = events.slice(1).map(({ at }, place) => Math.round((at - (events[place]?.at ?? 0)) / day));
      expect(jumps.filter((days) => days !== 0)).toEqual([Math.sign(jumpMs), -Math.sign(jumpMs), Math.sign(jumpMs)]);
      expect((await scenario.engine.replayRun(run.runId)).divergence).toBeNull();
    },
  );

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
