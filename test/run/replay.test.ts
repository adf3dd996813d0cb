// A replay derives a recorded run again with the present engine and without any world: what was recorded follows, and what
// was tampered with is found where it was changed.
import { chmodSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine, RunId } from '../../src/engine/index.ts';
import { observeCrashPoints } from '../../src/engine/journal/crash-point.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import { openTampering, type Tampering } from '../support/open-tampering.ts';
import { runCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';

const call = (tool: string, args: Record<string, unknown>) => ({ tool, arguments: args });
const read = call('read_file', { path: 'a.txt' });
const edit = (from: string, to: string) => call('edit_file', { path: 'a.txt', old: from, new: to });
const claim = { text: 'Done.' };

/** Reads side by side, an edit, what is denied and what cannot be read, a command with changes, and a failing check. */
const story: Script = [
  { calls: [read, call('list_dir', { path: '.' })] },
  { calls: [edit('one', 'two'), call('read_file', { path: '.env' }), call('no_such_tool', {})] },
  { calls: [call('shell', { command: './work' })] },
  claim,
  { calls: [call('write_file', { path: 'done.txt', content: 'done\n' })] },
  claim,
];
const files = {
  'a.txt': `one\n${'line\n'.repeat(9000)}`,
  '.env': 'KEY=value\n',
  work: '#!/bin/sh\necho more > b.txt\n',
};
const contract: ScenarioContract = {
  verification: { kind: 'command', argv: ['test', '-e', 'done.txt'], expectExit: 0 },
};

async function record(script: Script = story): Promise<{ scenario: Scenario; runId: RunId }> {
  const scenario = await openScenario(script, { files });
  chmodSync(join(scenario.workspace, 'work'), 0o755);
  const { result } = await scenario.run(contract, { approve: 'all' });
  expect(result.outcome.kind).toBe('met');
  return { scenario, runId: result.runId };
}

const cancel = async (engine: Engine, runId: RunId | undefined): Promise<void> => {
  if (runId !== undefined) await engine.cancelRun(runId, 'person:ada');
};

const whole = (engine: Engine, runId: RunId) => engine.readEvents(runId).then((events) => events.length);

describe('a replay', () => {
  it('finds that a recorded run follows, without its workspace, its provider or any change', async () => {
    const { scenario, runId } = await record();
    await using _scenario = scenario;
    const asked = scenario.server.requests.length;
    rmSync(scenario.workspace, { recursive: true });
    const engine = scenario.openEngine({ environment: {} });
    const events = await whole(engine, runId);
    const replay = await engine.replayRun(runId);
    expect(replay).toMatchObject({ divergence: null, events, requests: 6, unnamed: 0, calls: 7, sealed: 0 });
    expect(replay.verdicts).toBeGreaterThan(5);
    expect(scenario.server.requests).toHaveLength(asked);
    expect(await whole(engine, runId)).toBe(events);
  });

  it('follows through questions, answers, rewrites, pauses, faults and restarts', async () => {
    const script: Script = [
      {
        calls: [
          call('write_file', { path: 'x/one.txt', content: '1' }),
          call('write_file', { path: 'x/two.txt', content: '2' }),
        ],
      },
      {
        calls: [call('write_file', { path: 'x/three.txt', content: '3' })],
        fault: { kind: 'status', status: 503 },
        faultTimes: 1,
      },
      claim,
    ];
    await using scenario = await openScenario(script, { files });
    const { result } = await scenario.run();
    const [one, two] = await scenario.engine.listApprovals(result.runId);
    if (one === undefined || two === undefined) throw new Error('Two questions were expected');
    const actor = 'person:ada';
    const rewrite = { path: 'x/other.txt', content: '1' };
    await scenario.engine.decide({ request: one.request, decision: 'approve', actor, rewrite });
    const remember = { scope: 'run', pattern: 'x/*' } as const;
    await scenario.engine.decide({ request: two.request, decision: 'approve', actor, remember });
    const { result: end } = await scenario.resume(result.runId);
    expect(end.outcome.kind).toBe('finished');
    expect((await scenario.engine.replayRun(result.runId)).divergence).toBeNull();
  });

  it.each([1, 2, 3])(
    'follows where somebody cancels the run just when reply %i comes, of which its driver hears with the commit after that',
    async (nth) => {
      await using scenario = await openScenario(story, { files });
      let replies = 0;
      const said = Promise.withResolvers<void>();
      using _observed = observeCrashPoints((point) => {
        if (point !== 'after-reply' || ++replies !== nth) return;
        said.resolve(scenario.engine.listRuns().then(([run]) => cancel(scenario.engine, run?.runId)));
      });
      const { events, result } = await scenario.run(contract, { approve: 'all' });
      await said.promise;
      const place = events.findIndex(({ type }) => type === 'run-cancel');
      expect([result.outcome.kind, events[place + 1]?.type]).toEqual(['cancelled', 'model-finish']);
      expect((await scenario.engine.replayRun(result.runId)).divergence).toBeNull();
    },
  );

  it('follows through a fork and a rewind', async () => {
    const { scenario, runId } = await record();
    await using _scenario = scenario;
    const place = { kind: 'copy', directory: join(dirname(scenario.workspace), 'fork') } as const;
    const forked = await scenario.engine.forkRun(runId, { step: 2, place });
    await scenario.resume(forked.runId, { approve: 'all' });
    const aim = { kind: 'step', step: 1 } as const;
    await scenario.engine.rewindRun(forked.runId, { actor: 'person:ada', aim, mode: 'carry-out', foreign: 'leave' });
    await scenario.resume(forked.runId, { approve: 'all' });
    const replay = await scenario.engine.replayRun(forked.runId);
    expect(replay).toMatchObject({ divergence: null, events: await whole(scenario.engine, forked.runId) });
  });

  const tampers: [string, (database: Tampering) => number, string][] = [
    ['a reply', ({ changeBlob, find }) => changeBlob(find('model-finish', 1).seq, 'message'), 'content'],
    ['a result', ({ changeBlob, find }) => changeBlob(find('call-finish', 2).seq, 'result'), 'content'],
    [
      'a verdict',
      ({ change, find }) => change(find('act-judged', 1).seq, '"effect":"allow"', '"effect":"deny"'),
      'verdict',
    ],
    [
      'the request',
      ({ change, find }) => change(find('model-finish', 2).seq, '"request":"', '"request":"', flip),
      'request',
    ],
    [
      'an outcome',
      ({ change, find }) => change(find('run-finish', 0).seq, '"kind":"met"', '"kind":"met"', unmeet),
      'plan',
    ],
    [
      'a reservation',
      ({ change, find }) => change(find('model-start', 2).seq, '"inputTokens":', '"inputTokens":1'),
      'plan',
    ],
    ['the attempt', ({ change, find }) => change(find('model-start', 1).seq, '"attempt":1', '"attempt":2'), 'plan'],
    [
      'a tool',
      ({ change, find }) => change(find('call-start', 0).seq, '"tool":"read_file"', '"tool":"list_dir"'),
      'start of the call',
    ],
  ];

  it.each(tampers)('diverges at %s that was tampered with', async (_what, tamper, part) => {
    const { scenario, runId } = await record();
    await using _scenario = scenario;
    const events = await scenario.engine.readEvents(runId);
    scenario.exemptFromReplay();
    await scenario.engine.close();
    const seq = tamper(openTampering(scenario.home, events));
    const engine = scenario.openEngine();
    const { divergence } = await engine.replayRun(runId);
    expect(divergence).toMatchObject({ seq, what: expect.stringContaining(part) });
  });
});

describe('io-studio replay', () => {
  it('exits with 0 where all follows and with 1 where it does not', async () => {
    const { scenario, runId } = await record();
    await using _scenario = scenario;
    const args = ['replay', runId, '--home', scenario.home];
    const good = await runCli(args);
    expect(good).toMatchObject({ exitCode: 0, stderr: '' });
    expect(good.stdout).toMatch(/^run-\w{22} {2}\d+ events replayed: 6 requests, \d+ verdicts and 7 calls follow\n$/);
    const events = await scenario.engine.readEvents(runId);
    scenario.exemptFromReplay();
    await scenario.engine.close();
    const { change, find } = openTampering(scenario.home, events);
    change(find('act-judged', 1).seq, '"effect":"allow"', '"effect":"deny"');
    const bad = await runCli(args);
    expect(bad.exitCode).toBe(1);
    expect(bad.stdout).toMatch(
      / diverges at event \d+, .*\n {2}where {6}act-judged of root, step 1, call 1: verdict on read \.\n {2}expected {3}effect allow, .*\n {2}got {8}effect deny,/,
    );
  });
});

const flip = (text: string): string =>
  text.replace(/("request":")(.)/, (_all, head, digit) => `${head}${digit === '0' ? '1' : '0'}`);

const unmeet = (text: string): string =>
  text.replace('{"kind":"met","checked":true}', '{"kind":"finished","checked":false}');
