// The commands of a check in the journal: what enclosed each, how it ended, and how far a check came that was cut off.
import { describe, expect, it } from 'vitest';
import type { JournalEvent, TaskContractInput } from '../../src/engine/index.ts';
import { RunId } from '../../src/engine/index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLine, startCli } from '../support/run-cli.ts';

type Verification = NonNullable<TaskContractInput['verification']>;

const shell = (line: string, expectExit = 0) => ({
  kind: 'command' as const,
  argv: ['sh', '-c', line] as [string, ...string[]],
  expectExit,
});

const open = (): Promise<Scenario> => openScenario([{ text: 'Done.' }]);

const probe = await open();
const isolation = (await probe.engine.inspectSandbox()).sandbox.selected;
await probe[Symbol.asyncDispose]();

/** What is said of checks and their commands. */
const pick = (events: readonly JournalEvent[]) =>
  events.filter(({ type }) => type === 'run-resume' || type.startsWith('check-') || type.startsWith('sandbox-'));

const checkStart = { type: 'check-start', trigger: 'claim' };
const toFinish = (result: string, by: string | null = isolation) => ({ type: 'check-finish', result, isolation: by });
const toCreate = (check: number, program = 'sh') => ({ type: 'sandbox-create', check, program, isolation });
const toExit = (check: number, end: object = { end: 'exit', code: 0 }) => ({ type: 'sandbox-exit', check, ...end });

async function check(scenario: Scenario, verification: Verification): Promise<JournalEvent[]> {
  return pick((await scenario.run({ verification, budgets: { steps: 1 } })).events);
}

describe.skipIf(isolation === null)('the commands of a check', () => {
  it('are told of in their order, each with what encloses it and how it ended', async () => {
    await using scenario = await open();
    const of = [
      shell('exit 3', 3),
      { kind: 'matchesSchema' as const, file: 'a.json', schema: {} },
      shell('kill -9 $$'),
    ];
    scenario.write('a.json', '{}');
    const events = await check(scenario, { kind: 'all', of });
    expect(events).toMatchObject([
      checkStart,
      toCreate(1),
      toExit(1, { end: 'exit', code: 3, survivors: 0, durationMs: expect.any(Number) }),
      toCreate(2),
      toExit(2, { end: 'signal', signal: 'SIGKILL' }),
      toFinish('notMet'),
    ]);
  });

  it('stand in the trace by what they run', async () => {
    await using scenario = await open();
    const { result } = await scenario.run({ verification: shell('exit 1'), budgets: { steps: 1 } });
    const rows = await scenario.engine.readTrace(result.runId);
    expect(rows.filter(({ type }) => type.startsWith('sandbox-')).map(({ summary }) => summary)).toEqual([
      `command 1 of the check (sh): enclosed by ${isolation}`,
      'command 1 of the check: exit 1',
    ]);
  });

  it('are the engine’s own too: what a gate runs, and what it runs to see whether anything runs', async () => {
    await using scenario = await open();
    scenario.write('lib.mjs', 'export const one = 1;\n');
    const events = await check(scenario, { kind: 'nodeTest', files: ['lib.mjs'], testSource: 'process.exit(0);' });
    expect(events).toMatchObject([
      checkStart,
      toCreate(1, 'node'),
      toExit(1),
      toCreate(2, 'node'),
      toExit(2),
      toFinish('notMet'),
    ]);
  });

  it('are told of with the cap that ended them', async () => {
    await using scenario = await open();
    const events = await check(scenario, shell('head -c 100000000 /dev/zero'));
    expect(events).toMatchObject([
      checkStart,
      toCreate(1),
      { type: 'sandbox-cap', check: 1, cap: 'output', unit: 'bytes', observed: expect.any(Number) },
      toExit(1, { end: 'cap' }),
      toFinish('notMet'),
    ]);
  });

  it('are told of where they could not be started', async () => {
    await using scenario = await open();
    const argv: [string, ...string[]] = ['no-such-tool'];
    const events = await check(scenario, { kind: 'command', argv });
    expect(events).toMatchObject([
      checkStart,
      toCreate(1, 'no-such-tool'),
      toExit(1, { end: 'not-started', stage: 'program' }),
      toFinish('notEvaluated', null),
    ]);
  });

  it('are told of where the check was given up in their middle, which has no answer then', async () => {
    await using scenario = await open();
    const handle = await scenario.start({ verification: shell('sleep 600') });
    for await (const events of handle.events()) {
      if (events.some(({ type }) => type === 'sandbox-create')) handle.interrupt('SIGINT');
    }
    const events = await scenario.engine.readEvents(handle.runId);
    expect(pick(events)).toMatchObject([checkStart, toCreate(1), toExit(1, { end: 'cancelled' })]);
  });
});

it.skipIf(isolation === null)(
  'a check in whose middle the engine was killed is made again from its first command',
  async () => {
    await using scenario = await open();
    const verification: Verification = { kind: 'all', of: [shell('true'), shell('[ -e go ] || sleep 600')] };
    await using cli = startCli(['run', '--contract', '-', '--home', scenario.home, '--json'], {
      environment: scenario.environment,
      input: JSON.stringify(scenario.contract({ verification })),
    });
    const line = parseLine(await cli.untilLine((text) => /"sandbox-create".*"check":2/.test(text)));
    cli.kill('SIGKILL');
    await cli.end;
    const runId = RunId.parse(line.runId);
    const before = await scenario.engine.readEvents(runId);
    scenario.write('go', '');
    const { result } = await scenario.resume(runId);
    const after = (await scenario.engine.readEvents(runId)).slice(before.length);
    const first = [checkStart, toCreate(1), toExit(1), toCreate(2)];
    expect([result.outcome, scenario.server.requests.length]).toEqual([{ kind: 'met', checked: true }, 1]);
    expect([pick(before), pick(after)]).toMatchObject([
      first,
      [{ type: 'run-resume' }, ...first, toExit(2), toFinish('met')],
    ]);
  },
);
