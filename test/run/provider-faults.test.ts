// What a provider or the network can do to a run: it ends in a verdict that names the cause and the way out, or it goes on,
// and in both cases the journal says what happened.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/engine/index.ts';
import { openProvider } from '../provider/open-provider.ts';
import { follow, openScenario, type ScenarioContract } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';
import type { ScriptedFault, ScriptedReply } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const claim: ScriptedReply = { text: 'Done.' };
const files = { 'a.txt': 'right' };
const contract: ScenarioContract = { verification: { kind: 'fileContains', file: 'a.txt', text: 'right' } };
const once: ScenarioContract = { ...contract, budgets: { retries: 0 } };

const faults: readonly [title: string, fault: ScriptedFault, failure: string, says: RegExp][] = [
  ['429', { kind: 'status', status: 429, retryAfter: '1' }, 'rate-limited', /raise the rate limit/],
  ['500', { kind: 'status', status: 500 }, 'server', /try again later/],
  ['402', { kind: 'status', status: 402 }, 'quota', /Add credit/],
  ['an unknown model', { kind: 'status', status: 404 }, 'unknown-model', /Check the model name scripted/],
  ['a refused key', { kind: 'echo-key' }, 'auth', /Check that the key/],
  ['a cut stream', { kind: 'cut' }, 'cut-off', /try again/],
  ['an early end', { kind: 'early-end' }, 'cut-off', /try again/],
  ['a malformed event', { kind: 'malformed-event' }, 'malformed', /OpenAI-compatible/],
  ['an HTML page', { kind: 'html-page' }, 'malformed', /OpenAI-compatible/],
  ['an HTML error page', { kind: 'html-page', status: 502 }, 'server', /try again later/],
  ['a line of 10 MB', { kind: 'long-line', bytes: 10_000_000 }, 'malformed', /OpenAI-compatible/],
  ['invalid UTF-8', { kind: 'invalid-utf8' }, 'malformed', /OpenAI-compatible/],
  ['a plain text', { kind: 'other-body', contentType: 'text/plain', body: 'hello' }, 'malformed', /OpenAI-compatible/],
];

/** The one verdict of a command line: exit code, result line and standard error must say the same. */
function readVerdict({ stdout, stderr, exitCode }: Awaited<ReturnType<typeof runCli>>) {
  const result = parseLines(stdout).at(-1) ?? {};
  const outcome: { kind?: string; failure?: string; reason?: string } = Object(result.outcome);
  return { exitCode, told: result.exitCode, runId: String(result.runId), ...outcome, stderr };
}

const toFailures = (events: readonly JournalEvent[]) =>
  events.flatMap((event) => (event.type === 'model-fail' ? [event.failure] : []));

describe('a provider that fails', () => {
  it.each(faults)('with %s ends the run with one verdict everywhere (anthropics/claude-code#79500)', async (...row) => {
    const [, fault, failure, says] = row;
    await using scenario = await openScenario([{ ...claim, fault }], { files });
    const { home, environment } = scenario;
    const input = JSON.stringify(scenario.contract(once));
    const verdict = readVerdict(
      await runCli(['run', '--contract', '-', '--json', '--home', home], { environment, input }),
    );
    expect(verdict).toMatchObject({ exitCode: 6, told: 6, kind: 'providerFailed', failure });
    expect(verdict.reason).toMatch(says);
    expect(verdict.stderr).toContain(`PROVIDER FAILED  ${verdict.reason}\n`);
    expect(verdict.stderr).toContain(`io-studio resume ${verdict.runId}`);

    const trace = await runCli(['trace', verdict.runId, '--home', home]);
    expect([trace.exitCode, trace.stderr]).toEqual([0, '']);
    expect(trace.stdout).toContain(`PROVIDER FAILED  ${verdict.reason}`);
    expect(trace.stdout).toMatch(/ model-fail +/);
    expect(scenario.server.requests.length).toBe(1);
  });

  it.each(faults)('with %s once leaves a run that resume brings to its end', async (_title, fault) => {
    await using scenario = await openScenario([{ ...claim, fault, faultTimes: 1 }], { files });
    const failed = await scenario.run(once);
    const resumed = await scenario.resume(failed.result.runId);
    expect([failed.result.outcome.kind, resumed.result.outcome.kind, resumed.result.usage.steps]).toEqual([
      'providerFailed',
      'met',
      1,
    ]);
  });

  it('by refusing the connection names the address, and resume goes on once it is there', async () => {
    const port = await findFreePort();
    await using scenario = await openScenario([claim], { files });
    const environment = { ...scenario.environment, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const input = JSON.stringify(scenario.contract(once));
    const args = ['run', '--contract', '-', '--json', '--home', scenario.home];
    const verdict = readVerdict(await runCli(args, { environment, input }));
    expect(verdict).toMatchObject({ exitCode: 6, told: 6, kind: 'providerFailed', failure: 'connection' });
    expect(verdict.reason).toContain(`http://127.0.0.1:${port}/v1`);
    const resumed = await runCli(['resume', verdict.runId, '--home', scenario.home], scenario);
    expect(resumed.exitCode).toBe(0);
  });
});

describe('a provider that fails for a while', () => {
  it('is asked again after the time it named', async () => {
    const fault: ScriptedFault = { kind: 'status', status: 429, retryAfter: '1' };
    await using scenario = await openScenario([{ ...claim, fault, faultTimes: 1 }], { files });
    const { result, events } = await scenario.run(contract);
    const [first, second] = scenario.server.requests.map(({ arrivedAt }) => arrivedAt);
    expect([result.outcome.kind, result.usage.steps, toFailures(events)]).toEqual(['met', 1, ['rate-limited']]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  it('is asked again with growing pauses, and one reply stays one step', async () => {
    const fault: ScriptedFault = { kind: 'status', status: 500 };
    await using scenario = await openScenario([{ ...claim, fault, faultTimes: 2 }], { files });
    const { result, events } = await scenario.run(contract);
    expect([result.outcome.kind, result.usage.steps, toFailures(events)]).toEqual(['met', 1, ['server', 'server']]);
    const pauses = events.flatMap((event) =>
      event.type === 'model-fail' && event.retryAtMs !== null ? [event.retryAtMs - event.at] : [],
    );
    expect(pauses.map((pause, place) => pause >= 240 * 2 ** place && pause <= 510 * 2 ** place)).toEqual([true, true]);
  });

  const overQuota = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
  it.each<[failure: string, fault: ScriptedFault]>([
    ['quota', { kind: 'status', status: 429, body: JSON.stringify(overQuota) }],
    ['quota', { kind: 'status', status: 402 }],
    ['auth', { kind: 'status', status: 401 }],
    ['unknown-model', { kind: 'status', status: 404 }],
    ['request', { kind: 'status', status: 400 }],
  ])(
    'is not asked again when that would not help: %s, %j (NousResearch/hermes-agent#36276)',
    async (failure, fault) => {
      await using scenario = await openScenario([{ ...claim, fault }], { files });
      const { result } = await scenario.run(contract);
      expect([result.outcome, scenario.server.requests.length]).toEqual([
        { kind: 'providerFailed', failure, reason: expect.any(String) },
        1,
      ]);
    },
  );

  it.each<[string, ScriptedFault]>([
    ['falls silent after its headers', { kind: 'stall-after-headers' }],
    ['falls silent in mid-sentence (anomalyco/opencode#37580)', { kind: 'stall-after-first-delta' }],
    ['only keeps the connection alive (earendil-works/pi#8593)', { kind: 'pings-only', everyMs: 50 }],
  ])('and %s is given up on and asked again', async (_title, fault) => {
    await using scenario = await openScenario([{ ...claim, fault, faultTimes: 1 }], { files });
    await using opened = openProvider(scenario.server.url, { idleTimeoutMs: 400 });
    const engine = scenario.openEngine({ provider: opened.provider });
    const { result, events } = await follow(await engine.startRun({ contract: scenario.contract(contract) }));
    expect([result.outcome.kind, toFailures(events), result.usage.unknown.requests]).toEqual(['met', ['timeout'], 1]);
  });

  it('and answers with nothing at all is not taken for one that is done', async () => {
    await using scenario = await openScenario(({ repeats }) => (repeats === 0 ? { text: '' } : claim), { files });
    const { result, events } = await scenario.run(contract);
    expect([result.outcome.kind, toFailures(events)]).toEqual(['met', ['malformed']]);
  });
});

describe('a provider that is not configured', () => {
  const local = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  it.each<[string, Record<string, string>, string[], RegExp]>([
    ['names no provider', {}, [], /No model provider is configured\.\nSet OPENROUTER_API_KEY/],
    ['has no key', { OPENAI_MODEL: 'm' }, ['--provider', 'openai'], /OPENAI_API_KEY is not set\.\nSet OPENAI_API_KEY/],
    ['names no model', local, [], /No model is chosen\.\nSet OPENAI_MODEL/],
    [
      'names another provider',
      { ...local, OPENAI_MODEL: 'm' },
      ['--provider', 'x'],
      /no provider "x"\.\nChoose one of/,
    ],
  ])('because the environment %s is exit code 2, and no run begins', async (_title, environment, args, says) => {
    using place = createTemporaryDirectory();
    const home = place.make('home');
    const options = { environment, directory: place.make('workspace') };
    const end = await runCli(['run', '--goal', 'x', '--json', '--home', home, ...args], options);
    expect(readVerdict(end)).toMatchObject({ exitCode: 2, told: 2, runId: 'null', kind: 'invalid' });
    expect(end.stderr).toMatch(says);
    expect((await runCli(['runs', '--json', '--home', home])).stdout).toBe('');
  });
});

/** A port that nobody listens on. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
