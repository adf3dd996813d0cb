// Runs that nobody sits beside: what asks is deferred or refused at once and told, never answered in silence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const write = (path: string): ScriptedCall => ({ tool: 'write_file', arguments: { path, content: 'new' } });

const open = (...calls: ScriptedCall[]): Promise<Scenario> =>
  openScenario(({ position }) => (position === 0 ? { calls } : { text: 'Done.' }));

const onlyLog = { layers: [{ name: 'ci', rules: [{ act: 'exec', effect: 'allow', pattern: 'git log *' }] }] };

describe('an allow-list without a person', () => {
  it.each(['git log -1; touch PWNED', 'git log -1 && touch PWNED', 'git log $(touch PWNED)', 'git log -1 > PWNED'])(
    'does not run what was smuggled in behind an allowed command, and its result lists the refusal: %s (anthropics/claude-code#94314)',
    async (command) => {
      await using scenario = await open({ tool: 'shell', arguments: { command } });
      scenario.write('ci.jsonc', JSON.stringify(onlyLog));
      const policy = ['--policy', join(scenario.workspace, 'ci.jsonc'), '--minimum-isolation', 'caps-only'];
      const end = await runCli(
        ['run', '--goal', 'x', '--json', '--approve', 'deny', ...policy, '--home', scenario.home],
        {
          environment: scenario.environment,
          directory: scenario.workspace,
        },
      );
      const result: { denied?: unknown } = JSON.parse(end.stdout.trimEnd().split('\n').at(-1) ?? '{}');
      expect(result.denied).toMatchObject([
        { tool: 'shell', target: command, because: expect.stringContaining('Nobody was asked') },
      ]);
      expect(existsSync(join(scenario.workspace, 'PWNED'))).toBe(false);
    },
  );
});

describe('a question in a run that nobody attends', () => {
  it('ends the run at once as waiting, instead of blocking it for ever (anomalyco/opencode#12566)', async () => {
    await using scenario = await open(write('a.txt'));
    const { result } = await scenario.run();
    expect([result.exitCode, result.outcome.kind]).toEqual([3, 'awaitingApproval']);
  });

  it('still waits after another run was started and ended in the same workspace (cline/cline#11362)', async () => {
    await using scenario = await open(write('a.txt'));
    const first = await scenario.run();
    const [asked] = await scenario.engine.listApprovals(first.result.runId);
    await scenario.run({ goal: 'Something else.' }, { approve: 'all' });
    expect(await scenario.engine.listApprovals(first.result.runId)).toEqual([asked]);
    // The other run has made the file meanwhile: the approval lapses, and the question is asked again with the difference.
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    scenario.write('a.txt', 'older');
    const again = await scenario.resume(first.result.runId);
    expect(again.result.outcome.kind).toBe('awaitingApproval');
    const [second] = await scenario.engine.listApprovals(first.result.runId);
    expect(second?.details.differences).toEqual([expect.stringContaining('a.txt')]);
  });

  it('is not asked for ever once it was answered, however often the run is taken up (openai/openai-agents-python#2500)', async () => {
    await using scenario = await open(write('a.txt'), write('b.txt'));
    const { result } = await scenario.run();
    const [first, second] = await scenario.engine.listApprovals();
    await scenario.engine.decide({ request: first?.request ?? '', decision: 'approve', actor: 'person:test' });
    for (let round = 0; round < 3; round++) await scenario.resume(result.runId);
    expect((await scenario.engine.listApprovals()).map(({ request }) => request)).toEqual([second?.request]);
    const events = await scenario.engine.readEvents(result.runId);
    expect(events.filter(({ type }) => type === 'approval-request')).toHaveLength(2);
    expect(events.filter((event) => event.type === 'call-start' && event.approval === first?.request)).toHaveLength(1);
  });

  it('leaves a result paired with its call when it is denied beside another call (vercel/ai#14428)', async () => {
    await using scenario = await open(write('a.txt'), write('b.txt'));
    const { result } = await scenario.run();
    const [first, second] = await scenario.engine.listApprovals();
    await scenario.engine.decide({ request: first?.request ?? '', decision: 'deny', actor: 'person:test' });
    await scenario.engine.decide({ request: second?.request ?? '', decision: 'approve', actor: 'person:test' });
    const resumed = await scenario.resume(result.runId);
    expect(resumed.result.outcome.kind).toBe('finished');
    expect(findPairingFaults(scenario.messages(-1))).toEqual([]);
  });
});
