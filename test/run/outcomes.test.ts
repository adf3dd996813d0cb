// Every way a run can end, with the exit code that scripts rely on, and what a resume makes of it.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/engine/index.ts';
import { readProcessState } from '../../src/engine/process/process-identity.ts';
import { findProcess } from '../support/find-process.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import { parseLine, runCli, startCli } from '../support/run-cli.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';

const write = (content: string): ScriptedReply => ({
  calls: [{ tool: 'write_file', arguments: { path: 'a.txt', content } }],
  usage: { prompt: 4000, completion: 1000 },
});
const look: ScriptedReply = {
  calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }],
  usage: { prompt: 4000, completion: 1000 },
};
const claim: ScriptedReply = { text: 'Done.', usage: { prompt: 10, completion: 5 } };
const wanted = { kind: 'fileContains', file: 'a.txt', text: 'right' } as const;

const summarise = ({ outcome, exitCode, usage }: RunResult) => ({ outcome, exitCode, steps: usage.steps });

describe('the end of a run', () => {
  it('is met, with the evidence of the check, when the contract holds', async () => {
    await using scenario = await openScenario([write('right\n'), claim]);
    const { result } = await scenario.run({ verification: wanted }, { approve: 'all' });
    expect(result).toEqual({
      runId: result.runId,
      denied: [],
      outcome: { kind: 'met', checked: true },
      exitCode: 0,
      evidence: { result: 'met', summary: 'a.txt contains "right".', text: expect.any(String) },
      usage: {
        inputTokens: 4010,
        outputTokens: 1005,
        cachedInputTokens: 0,
        costUsd: null,
        unknown: { requests: 0, tokens: 0, costUsd: null },
        steps: 2,
        activeMs: expect.any(Number),
      },
    });
  });

  it('is finished, and says that nothing was checked, when the contract names no check', async () => {
    await using scenario = await openScenario([claim]);
    const { result } = await scenario.run();
    expect({ ...summarise(result), evidence: result.evidence }).toEqual({
      outcome: { kind: 'finished', checked: false },
      exitCode: 0,
      steps: 1,
      evidence: null,
    });
  });

  it('counts one plain answer as one step, so one step is enough for it (Digital-Process-Tools/claude-remember#98)', async () => {
    await using scenario = await openScenario([claim], { files: { 'a.txt': 'right' } });
    const unchecked = await scenario.run({ budgets: { steps: 1 } });
    const checked = await scenario.run({ budgets: { steps: 1 }, verification: wanted });
    expect([unchecked.result, checked.result].map(summarise)).toEqual([
      { outcome: { kind: 'finished', checked: false }, exitCode: 0, steps: 1 },
      { outcome: { kind: 'met', checked: true }, exitCode: 0, steps: 1 },
    ]);
  });

  it('is not met after three claims without a change, and each claim was answered with the evidence', async () => {
    await using scenario = await openScenario(() => claim, { files: { 'a.txt': 'wrong' } });
    const { result } = await scenario.run({ verification: wanted });
    expect(summarise(result)).toEqual({
      outcome: { kind: 'notMet', reason: expect.stringContaining('claimed to be done 3 times') },
      exitCode: 1,
      steps: 3,
    });
    expect(scenario.server.requests.length).toBe(3);
    const answers = scenario
      .messages(2)
      .filter(({ role }) => role === 'user')
      .slice(1);
    expect(answers.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^The check did not pass\. a\.txt does not contain "right"\.[\s\S]*wrong/),
      expect.stringMatching(/^The check did not pass\. a\.txt does not contain "right"\.[\s\S]*wrong/),
    ]);
  });

  it('is not reached by three claims when the workspace changed between them', async () => {
    const script = [claim, claim, write('almost'), claim, claim, write('right'), claim];
    await using scenario = await openScenario(script, { files: { 'a.txt': 'wrong' } });
    const { result } = await scenario.run({ verification: wanted }, { approve: 'all' });
    expect(summarise(result)).toEqual({ outcome: { kind: 'met', checked: true }, exitCode: 0, steps: 7 });
  });

  it('is not evaluated, which is neither met nor failed, when the check could not be carried out', async () => {
    await using scenario = await openScenario([claim]);
    const { result } = await scenario.run({ verification: { kind: 'command', argv: ['no-such-program-here'] } });
    expect(summarise(result)).toEqual({
      outcome: { kind: 'notEvaluated', reason: expect.stringContaining('there is no such executable program') },
      exitCode: 1,
      steps: 1,
    });
  });

  it('takes the exit code of a check for its verdict: nothing printed and code 1 is a failure (cline/cline#1773)', async () => {
    await using scenario = await openScenario(() => claim);
    const failing = await scenario.run({ verification: { kind: 'command', argv: ['sh', '-c', 'exit 1'] } });
    const passing = await scenario.run({ verification: { kind: 'command', argv: ['sh', '-c', 'exit 0'] } });
    expect([failing.result, passing.result].map(({ outcome, exitCode }) => [outcome.kind, exitCode])).toEqual([
      ['notMet', 1],
      ['met', 0],
    ]);
  });

  it('is a failed provider with what it said, and a resume goes on from there', async () => {
    const broken: ScriptedReply = { ...claim, fault: { kind: 'status', status: 404 }, faultTimes: 1 };
    await using scenario = await openScenario([broken], { files: { 'a.txt': 'right' } });
    const failed = await scenario.run({ verification: wanted });
    const resumed = await scenario.resume(failed.result.runId);
    expect([failed.result, resumed.result].map(summarise)).toEqual([
      {
        outcome: {
          kind: 'providerFailed',
          failure: 'unknown-model',
          reason: expect.stringContaining('Check the model name scripted'),
        },
        exitCode: 6,
        steps: 1,
      },
      { outcome: { kind: 'met', checked: true }, exitCode: 0, steps: 1 },
    ]);
  });
});

describe('a spent budget', () => {
  const price = { scripted: { inputPerMTok: 1, outputPerMTok: 1 } };
  const budgets: readonly [which: string, budget: ScenarioContract['budgets'], script: readonly ScriptedReply[]][] = [
    ['steps', { steps: 2 }, [look, look, look]],
    ['wallMs', { wallMs: 400 }, [look, { ...look, delayMs: 60_000 }]],
    ['tokens', { tokens: 6000 }, [look, look, look]],
    ['costUsd', { costUsd: 0.006 }, [look, look, look]],
    ['riskyActs', { riskyActs: 0 }, [look, write('wrong')]],
  ];

  it.each(budgets)('for %s ends a run that is not met with code 5, and names it', async (which, budget, script) => {
    await using scenario = await openScenario(script, { files: { 'a.txt': 'wrong' }, prices: price });
    const { result } = await scenario.run({ verification: wanted, budgets: budget }, { approve: 'all' });
    expect({ outcome: result.outcome, exitCode: result.exitCode, evidence: result.evidence?.result }).toEqual({
      outcome: { kind: 'budget', which, reason: expect.any(String) },
      exitCode: 5,
      evidence: 'notMet',
    });
    expect(scenario.read('a.txt')).toBe('wrong');
  });

  it.each(budgets)('for %s does not take the success from a contract that holds', async (_which, budget, script) => {
    await using scenario = await openScenario(script, { files: { 'a.txt': 'right' }, prices: price });
    const { result } = await scenario.run({ verification: wanted, budgets: budget }, { approve: 'all' });
    expect([result.outcome, result.exitCode]).toEqual([{ kind: 'met', checked: true }, 0]);
  });

  it('stays within a budget for tokens whatever the model does', async () => {
    await using scenario = await openScenario(() => look, { files: { 'a.txt': 'wrong' } });
    const { result } = await scenario.run({ verification: wanted, budgets: { tokens: 30_000, steps: null } });
    const { inputTokens, outputTokens } = result.usage;
    expect([result.outcome.kind, inputTokens + outputTokens <= 30_000]).toEqual(['budget', true]);
  });

  it('for risky acts lets the allowed number of one reply happen and no more', async () => {
    const calls = ['a.txt', 'b.txt'].map((path) => ({ tool: 'write_file', arguments: { path, content: 'wrong' } }));
    await using scenario = await openScenario([{ calls }]);
    const { result } = await scenario.run({ verification: wanted, budgets: { riskyActs: 1 } }, { approve: 'all' });
    expect([result.outcome, scenario.read('a.txt'), existsSync(join(scenario.workspace, 'b.txt'))]).toEqual([
      { kind: 'budget', which: 'riskyActs', reason: 'All 1 acts that need a yes are used.' },
      'wrong',
      false,
    ]);
  });

  it('counts what may have been billed without an answer', async () => {
    await using scenario = await openScenario([{ ...claim, fault: { kind: 'cut' } }], { files: { 'a.txt': 'wrong' } });
    const { result } = await scenario.run({ verification: wanted, budgets: { tokens: 12_000, retries: null } });
    expect([result.outcome, result.usage.inputTokens, result.usage.unknown.tokens <= 12_000]).toEqual([
      {
        kind: 'budget',
        which: 'tokens',
        reason: expect.stringMatching(/unanswered requests? may have been billed too/),
      },
      0,
      true,
    ]);
  });

  it('stays spent on resume: nothing more is paid for, but what a person has put right is seen', async () => {
    await using scenario = await openScenario(() => look, { files: { 'a.txt': 'wrong' } });
    const first = await scenario.run({ verification: wanted, budgets: { steps: 2 } });
    const again = await scenario.resume(first.result.runId);
    scenario.write('a.txt', 'right');
    const last = await scenario.resume(first.result.runId);
    expect([first, again, last].map(({ result }) => summarise(result))).toEqual([
      { outcome: { kind: 'budget', which: 'steps', reason: 'All 2 steps are used.' }, exitCode: 5, steps: 2 },
      { outcome: { kind: 'budget', which: 'steps', reason: 'All 2 steps are used.' }, exitCode: 5, steps: 2 },
      { outcome: { kind: 'met', checked: true }, exitCode: 0, steps: 2 },
    ]);
    expect(scenario.server.requests.length).toBe(2);
  });

  it('waits no longer for a retry than the time budget allows', async () => {
    const busy: ScriptedReply = { fault: { kind: 'status', status: 429, retryAfter: '60' } };
    await using scenario = await openScenario([busy], { files: { 'a.txt': 'wrong' } });
    const { result } = await scenario.run({ verification: wanted, budgets: { wallMs: 5000 } });
    expect([result.outcome.kind, result.usage.activeMs < 5000]).toEqual(['providerFailed', true]);
  });
});

describe('a run that waits for an answer', () => {
  const script = [write('right'), claim, claim, claim];

  async function startWaiting(): Promise<Scenario & { readonly waiting: RunResult }> {
    const scenario = await openScenario(script, { files: { 'a.txt': 'wrong' } });
    const { result } = await scenario.run({ verification: wanted });
    return { ...scenario, waiting: result };
  }

  it('ends with code 3 and the request, and has changed nothing', async () => {
    await using scenario = await startWaiting();
    expect([summarise(scenario.waiting), scenario.read('a.txt')]).toEqual([
      {
        outcome: { kind: 'awaitingApproval', requests: [`${scenario.waiting.runId}:root:1:0`] },
        exitCode: 3,
        steps: 1,
      },
      'wrong',
    ]);
  });

  it('is carried out by a resume that says yes, without asking the model again', async () => {
    await using scenario = await startWaiting();
    const { result } = await scenario.resume(scenario.waiting.runId, { approve: 'all' });
    expect([summarise(result), scenario.read('a.txt')]).toEqual([
      { outcome: { kind: 'met', checked: true }, exitCode: 0, steps: 2 },
      'right',
    ]);
    expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1]);
  });

  it('goes on without the act after a resume that says no, and the model is told', async () => {
    await using scenario = await startWaiting();
    const { result } = await scenario.resume(scenario.waiting.runId, { approve: 'deny' });
    expect([result.outcome.kind, result.exitCode, scenario.read('a.txt')]).toEqual(['notMet', 1, 'wrong']);
    expect(scenario.messages(1).at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call_0_0',
      content: expect.stringMatching(/^Not allowed: write of "a\.txt" must be asked for/),
    });
  });

  it('waits on when a resume brings no answer, and pays for nothing', async () => {
    await using scenario = await startWaiting();
    const { result } = await scenario.resume(scenario.waiting.runId);
    expect(summarise(result)).toEqual(summarise(scenario.waiting));
    expect(scenario.server.requests.length).toBe(1);
  });
});

describe('a run that is stopped', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s ends with code %i at once and is gone on with by resume', async (signal, code) => {
    const slow: ScriptedReply = { ...claim, delayMs: 60_000, fault: { kind: 'stall-after-headers' } };
    const script = [write('right'), slow];
    await using scenario = await openScenario(({ position, repeats }) => (repeats > 0 ? claim : script[position]));
    const place = ['--home', scenario.home, '--json'];
    const contract = JSON.stringify(scenario.contract({ verification: wanted }));
    await using cli = startCli(['run', '--contract', '-', '--approve', 'all', ...place], {
      environment: scenario.environment,
      input: contract,
    });
    await scenario.server.until((requests) => requests.length === 2);
    cli.kill(signal);
    const end = await cli.end;
    const result = parseLine(end.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect([end.exitCode, result.outcome, result.exitCode]).toEqual([code, { kind: 'interrupted', signal }, code]);
    expect(end.stderr).toContain(`io-studio resume ${result.runId}`);

    const resumed = await runCli(['resume', String(result.runId), ...place], { environment: scenario.environment });
    const verdict = parseLine(resumed.stdout.trimEnd().split('\n').at(-1) ?? '');
    expect([resumed.exitCode, verdict.outcome]).toEqual([0, { kind: 'met', checked: true }]);
    expect(scenario.server.requests.map(({ position }) => position)).toEqual([0, 1, 1]);
  });

  it('by a second engine, while its reply is streaming, is cancelled for good', async () => {
    const long: ScriptedReply = { text: 'word '.repeat(100), eventDelayMs: 2000 };
    await using scenario = await openScenario([long]);
    const handle = await scenario.start({ verification: wanted });
    const heard = new Promise<void>((resolve) => handle.onLive(() => resolve()));
    await heard;
    await scenario.openEngine().cancelRun(handle.runId, 'a person');
    const result = await handle.result;
    expect(summarise(result)).toEqual({ outcome: { kind: 'cancelled', by: 'a person' }, exitCode: 9, steps: 1 });
    expect(scenario.server.requests.map(({ aborted }) => aborted)).toEqual([true]);
    const again = await scenario.resume(handle.runId);
    expect([again.result.outcome, scenario.server.requests.length]).toEqual([result.outcome, 1]);
  });

  it('in the middle of its check leaves no process behind, and resume checks again without asking the model', async () => {
    const sleep = uniqueSleep();
    const argv: [string, ...string[]] = ['sh', '-c', `[ -e go ] && exit 0; sleep ${sleep} & wait`];
    await using scenario = await openScenario([claim]);
    const handle = await scenario.start({ verification: { kind: 'command', argv } });
    const pid = await findWhenStarted(sleep);
    handle.interrupt('SIGINT');
    expect((await handle.result).outcome).toEqual({ kind: 'interrupted', signal: 'SIGINT' });
    await expect.poll(() => readProcessState(pid)?.ended ?? true).toBe(true);
    scenario.write('go', '');
    const { result } = await scenario.resume(handle.runId);
    expect([summarise(result), scenario.server.requests.length]).toEqual([
      { outcome: { kind: 'met', checked: true }, exitCode: 0, steps: 1 },
      1,
    ]);
  });

  it('by a person in the middle of its check is cancelled', async () => {
    const sleep = uniqueSleep();
    const argv: [string, ...string[]] = ['sh', '-c', `sleep ${sleep} & wait`];
    await using scenario = await openScenario([claim]);
    const handle = await scenario.start({ verification: { kind: 'command', argv } });
    const pid = await findWhenStarted(sleep);
    await scenario.openEngine().cancelRun(handle.runId, 'a person');
    expect((await handle.result).outcome).toEqual({ kind: 'cancelled', by: 'a person' });
    await expect.poll(() => readProcessState(pid)?.ended ?? true).toBe(true);
  });

  it('by a person while it waits for the time to try again is cancelled', async () => {
    await using scenario = await openScenario([{ fault: { kind: 'status', status: 429, retryAfter: '50' } }]);
    const handle = await scenario.start();
    for await (const events of handle.events()) if (events.some(({ type }) => type === 'model-fail')) break;
    await scenario.openEngine().cancelRun(handle.runId, 'a person');
    expect((await handle.result).outcome).toEqual({ kind: 'cancelled', by: 'a person' });
    expect(scenario.server.requests.length).toBe(1);
  });

  it('by a person while nobody drives it is cancelled for good: no resume takes it up again', async () => {
    await using scenario = await openScenario([write('right'), claim]);
    const { result } = await scenario.run({ verification: wanted });
    expect(result.outcome.kind).toBe('awaitingApproval');
    await scenario.engine.cancelRun(result.runId, 'a person');
    const resumed = await scenario.resume(result.runId, { approve: 'all' });
    expect([resumed.result.outcome, scenario.server.requests.length]).toEqual([
      { kind: 'cancelled', by: 'a person' },
      1,
    ]);
    expect(existsSync(join(scenario.workspace, 'a.txt'))).toBe(false);
  });

  it('by its host closing the engine is interrupted and can be gone on with', async () => {
    const slow: ScriptedReply = { ...claim, fault: { kind: 'stall-after-headers' }, faultTimes: 1 };
    await using scenario = await openScenario([slow], { files: { 'a.txt': 'right' } });
    const handle = await scenario.start({ verification: wanted });
    await scenario.server.until((requests) => requests.length === 1);
    await scenario.engine.close();
    expect((await handle.result).outcome).toEqual({ kind: 'interrupted', signal: 'SIGTERM' });
    const resumed = await (await scenario.openEngine().resumeRun(handle.runId)).result;
    expect([resumed.outcome.kind, resumed.usage.steps, resumed.usage.unknown.requests]).toEqual(['met', 1, 1]);
  });
});

it('a run that has ended gives its result again and asks nobody', async () => {
  await using scenario = await openScenario([write('right'), claim]);
  const first = await scenario.run({ verification: wanted }, { approve: 'all' });
  const again = await scenario.resume(first.result.runId);
  expect([again.result, again.events, scenario.server.requests.length]).toEqual([first.result, [], 2]);
});

/** The number of a process as soon as it runs. */
async function findWhenStarted(argument: string): Promise<number> {
  await expect.poll(() => findProcess(argument), { timeout: 20_000 }).toBeDefined();
  return findProcess(argument) ?? 0;
}

/** Seconds that nothing else on this machine sleeps. */
const uniqueSleep = (): string => `61.${randomInt(1e9)}`;
