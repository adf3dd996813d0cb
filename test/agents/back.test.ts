// A run with agents is taken back, gone on from at a step, and carried to another machine: as a whole, and with nothing of it
// twice.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Engine, RewindParams, RunId } from '../../src/engine/index.ts';
import { foldRun } from '../../src/shared/fold-run.ts';
import type { RunState } from '../../src/shared/run-state.ts';
import { follow, openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { containment, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;
const contract = { containment, budgets: { retries: null } };

/** What a script waits for: until then a reply is refused, and asked for again. */
function createGate() {
  let isOpen = false;
  return {
    open: () => {
      isOpen = true;
    },
    hold: (reply: ScriptedReply): ScriptedReply =>
      isOpen ? reply : { fault: { kind: 'status', status: 503, retryAfter: '0' } },
  };
}

const waitFor = (...agents: string[]) => ({ tool: 'wait_agents', arguments: { agents } });
const readMail = { tool: 'read_messages', arguments: {} };
const mail = (text: string) => ({ tool: 'send_message', arguments: { to: 'parent', text } });

async function readState(engine: Engine, runId: RunId): Promise<RunState> {
  const state = foldRun(null, await engine.readEvents(runId));
  if (state === null) throw new Error(`Run ${runId} has no events`);
  return state;
}

const rewind = ({ engine }: Scenario, runId: RunId, aim: RewindParams['aim']) =>
  engine.rewindRun(runId, { actor: 'person:test', aim, mode: 'carry-out', foreign: 'leave' });

const untilDone = new AbortController().signal;

const listFiles = ({ workspace }: Scenario): string[] => readdirSync(workspace).toSorted();

/** The first one ends before the second step begins; what it says is read in the third, where another one is spawned. */
function toStory(): { script: TreeScript; hasEnded: () => void } {
  const gate = createGate();
  const root = [
    { calls: [spawn('Be first.', { detached: true })] },
    { calls: [write('root.txt', 'root')] },
    { calls: [waitFor('root/1.0'), readMail, spawn('Be second.')] },
    { text: 'All done.' },
  ];
  const script: TreeScript = {
    root: ({ position }) => (position === 1 ? gate.hold(root[1] ?? {}) : root[position]),
    'root/1.0': [{ calls: [write('first.txt', '1'), mail('Halfway.')] }, { text: 'The first one is done.' }],
    '*': [{ calls: [write('second.txt', '2')] }, { text: 'The second one is done.' }],
  };
  return { script, hasEnded: gate.open };
}

async function runStory(options: Parameters<typeof openScenario>[1] = {}) {
  const { script, hasEnded } = toStory();
  const scenario = await openScenario(toTreeScript(script), options);
  const handle = await scenario.start(contract, all);
  for await (const events of handle.events()) if (events.some(({ type }) => type === 'agent-finish')) hasEnded();
  const result = await handle.result;
  expect(result.outcome).toEqual({ kind: 'finished', checked: false });
  return { scenario, result };
}

const toText = (scenario: Scenario): string => JSON.stringify(scenario.messages(-1));
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('a rewind of a run with agents', () => {
  it('ends those that were spawned since, puts back what they wrote, and has everything told again that was told since', async () => {
    const { scenario, result } = await runStory();
    await using _scenario = scenario;
    const before = toText(scenario);
    const report = await rewind(scenario, result.runId, { kind: 'step', step: 2 });
    expect(report.files.map(({ path, fate }) => [path, fate])).toEqual([['second.txt', 'removed']]);
    const left = await readState(scenario.engine, result.runId);
    expect(left.agents).toMatchObject({
      root: { children: ['root/1.0'], mailbox: [{ from: 'root/1.0' }] },
      'root/1.0': { ended: { outcome: { kind: 'finished' } }, assignment: { isCollected: false } },
      'root/3.2': { ended: { outcome: { kind: 'rewound', step: 2 } } },
    });
    const { result: last } = await scenario.resume(result.runId);
    expect([last.outcome, toText(scenario)]).toEqual([result.outcome, before.replaceAll('root/3.', 'root/5.')]);
    expect([count(before, 'Halfway.'), count(before, 'The first one is done.')]).toEqual([1, 1]);
    expect(listFiles(scenario)).toEqual(['first.txt', 'root.txt', 'second.txt']);
    const now = await readState(scenario.engine, result.runId);
    expect(Object.keys(now.agents)).toEqual(['root', 'root/1.0', 'root/3.2', 'root/5.2']);
  }, 60_000);

  it('is undone with all of them as they were', async () => {
    const { scenario, result } = await runStory();
    await using _scenario = scenario;
    const before = await readState(scenario.engine, result.runId);
    await rewind(scenario, result.runId, { kind: 'step', step: 0 });
    expect(listFiles(scenario)).toEqual([]);
    const left = await readState(scenario.engine, result.runId);
    expect(Object.values(left.agents).map(({ ended }) => ended?.outcome.kind)).toEqual([
      undefined,
      'rewound',
      'rewound',
    ]);
    await rewind(scenario, result.runId, { kind: 'undo' });
    const now = await readState(scenario.engine, result.runId);
    expect([now.agents, now.outcome, listFiles(scenario)]).toEqual([
      before.agents,
      before.outcome,
      ['first.txt', 'root.txt', 'second.txt'],
    ]);
  }, 60_000);

  it('ends one that was at work then, tells so, and with an undo lets it go on where it was', async () => {
    const gate = createGate();
    const script: TreeScript = {
      root: [
        { calls: [spawn('Be slow.', { detached: true })] },
        { calls: [write('root.txt', 'root')] },
        { calls: [waitFor('root/1.0')] },
        { text: 'All done.' },
      ],
      'root/1.0': ({ position }) =>
        [
          { calls: [write('begun.txt', '1')] },
          gate.hold({ calls: [write('ended.txt', '2')] }),
          { text: 'It is done.' },
        ][position],
    };
    await using scenario = await openScenario(toTreeScript(script));
    const handle = await scenario.start(contract, all);
    let holds = 0;
    let failures = 0;
    for await (const events of handle.events()) {
      holds += events.filter(({ type }) => type === 'call-hold').length;
      failures += events.filter(({ type }) => type === 'model-fail').length;
      if (holds > 0 && failures > 0) handle.interrupt('SIGTERM');
    }
    expect((await handle.result).outcome.kind).toBe('interrupted');
    const { runId } = handle;
    await rewind(scenario, runId, { kind: 'step', step: 1 });
    const left = await readState(scenario.engine, runId);
    expect(left.agents).toMatchObject({
      root: { children: ['root/1.0'] },
      'root/1.0': { ended: { outcome: { kind: 'rewound', step: 1 }, report: null } },
    });
    expect(left.ledger.outstanding).toEqual({ requests: 0, tokens: 0, costUsd: 0 });
    await rewind(scenario, runId, { kind: 'undo' });
    const undone = scenario.server.requests.length;
    gate.open();
    const { result } = await scenario.resume(runId);
    expect(result.outcome).toEqual({ kind: 'finished', checked: false });
    expect([listFiles(scenario), count(toText(scenario), 'It is done.')]).toEqual([
      ['begun.txt', 'ended.txt', 'root.txt'],
      1,
    ]);
    expect(scenario.server.requests.slice(undone).map(({ position }) => position)).toEqual([1, 2, 3]);

    await rewind(scenario, runId, { kind: 'step', step: 1 });
    const { result: last } = await scenario.resume(runId);
    expect([last.outcome.kind, count(toText(scenario), 'what it did was taken back')]).toEqual(['finished', 1]);
  }, 90_000);
});

describe('a fork of a run with agents', () => {
  it('holds what they reported by then, and says which of them stay behind', async () => {
    const { scenario, result } = await runStory();
    await using _scenario = scenario;
    const directory = join(dirname(scenario.workspace), 'fork');
    const place = { kind: 'copy', directory } as const;
    const forked = await scenario.engine.forkRun(result.runId, { step: 2, place });
    expect(readdirSync(directory).toSorted()).toEqual(['first.txt', 'root.txt']);
    const handle = await scenario.engine.resumeRun(forked.runId, all);
    const { result: last } = await follow(handle);
    expect(last.outcome).toEqual({ kind: 'finished', checked: false });
    const text = toText(scenario);
    expect(text).toContain('These agents do not work for you any more');
    expect(text).toContain('Messages of other agents that you had not read are not there any more.');
    expect(text).toContain('\\"root/1.0\\" is no agent that you have spawned.');
    expect(readdirSync(directory).toSorted()).toEqual(['first.txt', 'root.txt', 'second.txt']);
    const { agents, settings } = await readState(scenario.engine, forked.runId);
    expect([Object.keys(agents), settings.containment?.total]).toEqual([['root', 'root/1.2'], containment.total]);
  }, 60_000);

  it('at a step counts those of the root alone', async () => {
    const { scenario, result } = await runStory();
    await using _scenario = scenario;
    const directory = join(dirname(scenario.workspace), 'fork');
    const forking = scenario.engine.forkRun(result.runId, { step: 7, place: { kind: 'copy', directory } });
    await expect(forking).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(': 0 to 4.') });
  }, 60_000);
});

describe('a run with agents that is carried to another machine', () => {
  it('is well there, goes on once it is adopted, and leaves nothing behind when it is pruned', async () => {
    const gate = createGate();
    const toScript = (): TreeScript => ({
      root: [{ calls: [spawn('Be first.'), spawn('Be second.')] }, { text: 'All done.' }],
      'root/1.0': [{ calls: [write('first.txt', '1')] }, { text: 'The first one is done.' }],
      'root/1.1': ({ position }) =>
        position === 0 ? gate.hold({ calls: [write('second.txt', '2')] }) : { text: 'The second one is done.' },
    });
    await using home = await openScenario(toTreeScript(toScript()));
    await using abroad = await openScenario(toTreeScript(toScript()));
    const handle = await home.start(contract, all);
    for await (const events of handle.events()) {
      if (events.some(({ type }) => type === 'agent-finish')) handle.interrupt('SIGTERM');
    }
    const { runId } = handle;
    expect((await handle.result).outcome.kind).toBe('interrupted');
    using place = createTemporaryDirectory();
    const file = join(place.path, 'run.ioexport');
    await home.engine.store.exportRun(runId, file, null);
    await abroad.engine.store.importRun(file, null, untilDone);
    expect(await abroad.engine.replayRun(runId)).toMatchObject({ divergence: null });
    await abroad.engine.store.adoptRun({ runId, workspace: abroad.workspace, actor: 'person:abroad' });
    gate.open();
    const { result } = await abroad.resume(runId, all);
    expect([result.outcome, listFiles(abroad)]).toEqual([{ kind: 'finished', checked: false }, ['second.txt']]);
    expect(count(toText(abroad), 'The first one is done.')).toBe(1);
    expect(abroad.server.requests.map(({ position }) => position)).toEqual([0, 1, 1]);
    const { store } = abroad.engine;
    const verified = await store.verify({ runId: null, rebuild: false }, untilDone);
    expect(verified.faults).toEqual([]);
    await store.prune({ before: null, toBytes: null, isDryRun: false }, untilDone);
    expect(await abroad.engine.listRuns()).toEqual([]);
  }, 60_000);
});
