// What scripts rely on: `--json` writes journal events and one result, in a shape that does not change, and nothing else.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RunId } from '../../src/engine/index.ts';
import { EventBody } from '../../src/shared/event.ts';
import { LiveUpdate } from '../../src/shared/live-update.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { type CliEnd, parseLine, parseLines, runCli, startCli } from '../support/run-cli.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const script: readonly ScriptedReply[] = [
  { text: 'I look.', calls: [{ tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } }] },
  { text: 'It is done, and \u001b[31mred\u202e.' },
];
const verification = { kind: 'fileContains', file: 'a.txt', text: 'x' } as const;

const Line = z.looseObject({
  type: z.string(),
  runId: RunId,
  agentId: z.string().min(1),
  seq: z.int().positive(),
  at: z.int().positive(),
  step: z.int().nonnegative(),
});

const Result = z.strictObject({
  type: z.literal('result'),
  runId: RunId.nullable(),
  outcome: z.looseObject({ kind: z.string() }),
  exitCode: z.int(),
  evidence: z.strictObject({ result: z.string(), summary: z.string(), text: z.string() }).nullable(),
  usage: z
    .strictObject({
      inputTokens: z.int(),
      outputTokens: z.int(),
      cachedInputTokens: z.int(),
      costUsd: z.number().nullable(),
      unknown: z.strictObject({ requests: z.int(), tokens: z.int(), costUsd: z.number().nullable() }),
      steps: z.int(),
      activeMs: z.int(),
    })
    .nullable(),
  denied: z.array(
    z.strictObject({ step: z.int(), call: z.int(), tool: z.string(), target: z.string(), because: z.string() }),
  ),
  error: z.strictObject({ code: z.string(), message: z.string(), remedy: z.string() }).optional(),
});

function run(scenario: Scenario, args: readonly string[], input = ''): Promise<CliEnd> {
  const { home, workspace, environment } = scenario;
  return runCli(['run', '--home', home, ...args], { environment, directory: workspace, input });
}

describe('a run with --json', () => {
  it('writes one journal event a line, from the first without a gap, and the result at the end', async () => {
    await using scenario = await openScenario(script);
    const end = await run(scenario, ['--goal', 'Do it.', '--verify', 'grep x a.txt', '--approve', 'all', '--json']);
    const lines = parseLines(end.stdout);
    const events = lines.slice(0, -1).map((line) => Line.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, place) => place + 1));
    expect(events[0]?.type).toBe('run-start');
    for (const { runId, agentId, seq, at, step, ...body } of events) {
      expect({ agentId, runId }).toEqual({ agentId: 'root', runId: events[0]?.runId });
      expect(EventBody.safeParse(body).error).toBeUndefined();
    }
    expect(Result.parse(lines.at(-1))).toMatchObject({
      runId: events[0]?.runId,
      outcome: { kind: 'met', checked: true },
      exitCode: 0,
      evidence: { result: 'met' },
      usage: { steps: 2 },
    });
    expect({ exitCode: end.exitCode, stderr: end.stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('writes what the journal holds, as trace --json gives it again', async () => {
    await using scenario = await openScenario(script);
    const end = await run(scenario, ['--goal', 'Do it.', '--approve', 'all', '--json']);
    const events = parseLines(end.stdout).slice(0, -1);
    const trace = await runCli(['trace', String(events[0]?.runId), '--json', '--home', scenario.home]);
    expect({ ...trace, stdout: parseLines(trace.stdout) }).toEqual({
      exitCode: 0,
      signal: null,
      stderr: '',
      stdout: events,
    });
  });

  it('adds what is being said only with --deltas, and changes nothing else', async () => {
    await using scenario = await openScenario(script);
    const end = await run(scenario, ['--goal', 'Do it.', '--approve', 'all', '--json', '--deltas']);
    const lines = parseLines(end.stdout);
    const deltas = lines.filter(({ type }) => String(type).endsWith('-delta')).map((line) => LiveUpdate.parse(line));
    const rest = lines.filter(({ type }) => !String(type).endsWith('-delta'));
    const text = deltas.flatMap((delta) => (delta.type === 'text-delta' && delta.step === 1 ? [delta.text] : []));
    expect(text.join('')).toBe('I look.');
    expect(rest.slice(0, -1).map(({ seq }) => seq)).toEqual(rest.slice(1).map((_line, place) => place + 1));
    expect(Result.parse(rest.at(-1)).exitCode).toBe(0);
  });

  it('prints no run id before that run is in the journal (happier-dev/happier#327)', async () => {
    const held: ScriptedReply = { text: 'Later.', fault: { kind: 'stall-after-headers' } };
    await using scenario = await openScenario([held]);
    const { home, workspace, environment } = scenario;
    await using cli = startCli(['run', '--goal', 'Do it.', '--json', '--home', home], {
      environment,
      directory: workspace,
    });
    const first = parseLine(await cli.untilLine(() => true));
    cli.kill('SIGKILL');
    await cli.end;
    const trace = await runCli(['trace', String(first.runId), '--json', '--home', home]);
    expect([trace.exitCode, parseLines(trace.stdout)[0]]).toEqual([0, first]);
  });

  it('goes on to its end when nobody reads its output any more', async () => {
    await using scenario = await openScenario(script);
    const { home, workspace, environment } = scenario;
    await using cli = startCli(['run', '--goal', 'Do it.', '--approve', 'all', '--json', '--home', home], {
      environment,
      directory: workspace,
    });
    await cli.untilLine(() => true);
    cli.closeOutput();
    expect((await cli.end).exitCode).toBe(0);
    expect((await scenario.engine.listRuns()).map(({ outcome }) => outcome?.kind)).toEqual(['finished']);
  });
});

describe('what goes to people', () => {
  it('shows characters of the model that would act on a terminal as escapes', async () => {
    await using scenario = await openScenario(script);
    const { stdout, stderr, exitCode } = await run(scenario, ['--goal', 'Do it.', '--approve', 'all']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('and \\u{1b}[31mred\\u{202e}.');
    expect(stdout).toMatch(/\nFINISHED {2}The model ended its work/);
    expect(stdout.includes('\u001b') || stdout.includes('\u202e')).toBe(false);
  });
});

describe('a contract', () => {
  it('is read from a file or from standard input, and flags replace what it says', async () => {
    await using scenario = await openScenario(script);
    using files = createTemporaryDirectory();
    const contract = JSON.stringify(scenario.contract({ verification, budgets: { steps: 9 } }));
    const file = files.write('contract.json', contract);
    const ends = [
      await run(scenario, ['--contract', file, '--approve', 'all', '--json']),
      await run(scenario, ['--contract', '-', '--approve', 'all', '--json'], contract),
      await run(
        scenario,
        ['--contract', '-', '--steps', '1', '--verify', 'false', '--approve', 'all', '--json'],
        contract,
      ),
    ];
    const verdicts = ends.map(({ stdout, exitCode }) => [exitCode, parseLines(stdout).at(-1)?.outcome]);
    expect(verdicts).toEqual([
      [0, { kind: 'met', checked: true }],
      [0, { kind: 'met', checked: true }],
      [5, { kind: 'budget', which: 'steps', reason: 'All 1 steps are used.' }],
    ]);
  });

  it('that does not parse is told every problem with its path in one message, with code 2', async () => {
    await using scenario = await openScenario(script);
    const contract = {
      goal: '',
      workspace: 'relative',
      constraints: 'none',
      verification: { kind: 'fileContains', file: 'a.txt' },
      budgets: { steps: 0, tokenz: 5 },
      plan: {},
      protect: 'a',
      containment: { agents: 3 },
      mcp: [],
      colour: 'red',
    };
    const end = await run(scenario, ['--contract', '-', '--json'], JSON.stringify(contract));
    const result = Result.parse(parseLines(end.stdout).at(-1));
    expect([end.exitCode, result.outcome.kind, result.exitCode, result.error?.code, result.runId]).toEqual([
      2,
      'invalid',
      2,
      'contract-invalid',
      null,
    ]);
    const lines = result.error?.message.split('\n') ?? [];
    expect(lines[0]).toBe('The contract has 11 problems:');
    const paths = lines.slice(1).map((line) => line.trim().split(':', 1)[0]);
    expect(paths.toSorted()).toEqual(
      [
        'goal',
        'workspace',
        'constraints',
        'verification.text',
        'budgets.steps',
        'budgets.tokenz',
        'plan',
        'protect',
        'containment.agents',
        'mcp',
        'colour',
      ].toSorted(),
    );
    expect(end.stderr).toBe(`io-studio: ${result.error?.message}\n${result.error?.remedy}\n`);
    expect(readdirSync(scenario.home)).toEqual([]);
  });

  it('that uses a reserved name is refused', async () => {
    const name = 'mcp';
    await using scenario = await openScenario(script);
    const contract = JSON.stringify({ ...scenario.contract(), [name]: {} });
    const { exitCode, stderr } = await run(scenario, ['--contract', '-'], contract);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${name}: "${name}" is a reserved name`)]);
  });

  it.each([
    ['is not JSON', 'goal: x', 'The contract cannot be read from standard input'],
    ['is not an object', '[]', 'The contract in standard input is not a JSON object.'],
    ['is empty', '', 'The contract cannot be read from standard input'],
  ])('that %s is refused with code 2', async (_title, input, message) => {
    await using scenario = await openScenario(script);
    const { exitCode, stderr, stdout } = await run(scenario, ['--contract', '-'], input);
    expect({ exitCode, stderr, stdout }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(message),
      stdout: '',
    });
  });

  it('that limits money for a model without a price is refused as unpriced, before anything is spent', async () => {
    await using scenario = await openScenario(script);
    const contract = JSON.stringify(scenario.contract({ budgets: { costUsd: 1 } }));
    const end = await run(scenario, ['--contract', '-', '--json'], contract);
    const result = Result.parse(parseLines(end.stdout).at(-1));
    expect([end.exitCode, result.outcome.kind, result.error?.code]).toEqual([2, 'invalid', 'unpriced']);
    expect(end.stderr).toMatch(/the model "scripted" is unpriced\.\nAdd it to .*prices\.jsonc/);
    expect(scenario.server.requests).toEqual([]);
  });
});

describe('the home', () => {
  it.each([
    ['inside the workspace', 'place', 'place/state/home'],
    ['that holds the workspace', 'place/work', 'place'],
    ['that is the workspace', 'place', 'place'],
  ])('%s is refused with code 2, and nothing is created', async (_title, workspace, home) => {
    using files = createTemporaryDirectory();
    const directory = files.make(workspace);
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' };
    const end = await runCli(['run', '--goal', 'x', '--json', '--home', join(files.path, home)], {
      environment,
      directory,
    });
    const result = Result.parse(parseLines(end.stdout).at(-1));
    expect([end.exitCode, result.error?.code]).toEqual([2, 'home-overlaps-workspace']);
    expect(readdirSync(files.path, { recursive: true }).toSorted()).toEqual(
      workspace === 'place' ? ['place'] : ['place', 'place/work'],
    );
  });

  it('is found by IO_STUDIO_HOME', async () => {
    await using scenario = await openScenario(script);
    using files = createTemporaryDirectory();
    const home = join(files.path, 'elsewhere');
    const end = await runCli(['run', '--goal', 'x', '--approve', 'all'], {
      environment: { ...scenario.environment, IO_STUDIO_HOME: home },
      directory: scenario.workspace,
    });
    expect([end.exitCode, existsSync(join(home, 'journal.db'))]).toEqual([0, true]);
  });
});

describe('arguments', () => {
  it.each([
    [['run']],
    [['run', '--goal', 'x', '--contract', 'y']],
    [['run', '--goal', 'x', 'leftover']],
    [['run', '--goal', 'x', '--approve', 'maybe']],
    [['run', '--goal', 'x', '--steps', '0']],
    [['run', '--goal', 'x', '--context-tokens', 'many']],
    [['run', '--gaol', 'x']],
    [['resume']],
    [['resume', 'run-7']],
    [['trace', 'run-01234567890123456789ab', 'more']],
    [['run', '--goal', 'x', '--minimum-isolation', 'none']],
    [['approvals', 'a', 'b']],
    [['approvals', 'a', '--watch']],
    [['approvals', '--run', 'latest']],
    [['decide', 'a']],
    [['decide', 'a', 'maybe']],
    [['decide', 'a', 'deny', '--rewrite', 'b']],
    [['decide', 'a', 'approve', '--remember', 'repository']],
    [['explain', 'look', 'a']],
    [['explain', 'read']],
    [['explain', 'exec', 'git', 'status']],
    [['simulate', 'run-01234567890123456789ab']],
    [['policy', 'mend', 'a']],
    [['policy', 'check']],
    [['frobnicate']],
  ])('%j are refused with one message and code 2', async (args) => {
    using files = createTemporaryDirectory();
    const end = await runCli([...args, '--json', '--home', files.path], { directory: files.make('workspace') });
    const result = Result.parse(parseLines(end.stdout).at(-1));
    expect([end.exitCode, result.exitCode, result.outcome.kind, result.error?.code]).toEqual([
      2,
      2,
      'invalid',
      'usage',
    ]);
    expect(end.stderr).toBe(`io-studio: ${result.error?.message}\n${result.error?.remedy}\n`);
  });

  it.each([['resume'], ['trace'], ['approvals', '--run']])(
    '%s %s of a run that is not there says where to look',
    async (...command) => {
      using files = createTemporaryDirectory();
      const end = await runCli([...command, 'run-0123456789012345678900', '--json', '--home', files.path]);
      const result = Result.parse(parseLines(end.stdout).at(-1));
      expect([end.exitCode, result.error?.code]).toEqual([2, 'run-unknown']);
      expect(end.stderr).toContain('io-studio runs');
    },
  );
});
