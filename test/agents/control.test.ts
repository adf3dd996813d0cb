// What people say to single agents of a run, from other engines on its home: it reaches just those it is about, and nothing
// that was stopped goes on behind it.
import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Engine, isEngineError, type JournalEvent, type RunId, toTree } from '../../src/engine/index.ts';
import { readProcessState } from '../../src/engine/process/process-identity.ts';
import { findProcess } from '../support/find-process.ts';
import { openScenario, type Scenario, scenarioKey } from '../support/open-scenario.ts';
import type { LoggedRequest } from '../support/scripted-model-server.ts';
import { containment, findAgent, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;
const ada = 'person:ada';
const stalled = { fault: { kind: 'stall-after-headers' } } as const;
const first = 'root/1.0';
const second = 'root/1.1';
const third = 'root/1.2';
const root = (children: number) => [
  { calls: Array.from({ length: children }, (_each, index) => spawn(`Do part ${index}.`)) },
  { text: 'All done.' },
];

const open = (script: TreeScript): Promise<Scenario> => openScenario(toTreeScript(script));

/** The requests that an agent has made so far. */
const requestsOf = (scenario: Scenario, agent: string): LoggedRequest[] =>
  scenario.server.requests.filter((request) => agentOf(request) === agent);

function agentOf({ body }: LoggedRequest): string {
  const messages = body?.messages;
  return Array.isArray(messages) ? findAgent({ messages }) : '';
}

const untilAsked = (scenario: Scenario, agents: readonly string[]): Promise<void> =>
  scenario.server.until((requests) => agents.every((agent) => requests.some((request) => agentOf(request) === agent)));

/** Follows the journal, past and to come, as another process would. */
async function untilEvent(engine: Engine, runId: RunId, isWanted: (event: JournalEvent) => boolean): Promise<void> {
  const stop = new AbortController();
  for await (const events of engine.watchEvents(runId, 0, stop.signal)) {
    if (events.some(isWanted)) return stop.abort();
  }
}

const endOf = (agent: string) => (event: JournalEvent) => event.type === 'agent-finish' && event.agentId === agent;

async function statusOf(engine: Engine, runId: RunId, agent: string) {
  const { agents } = await engine.readRun(runId);
  return Object.values(agents).find(({ agentId }) => agentId === agent)?.ended?.outcome ?? null;
}

describe('a steer', () => {
  it('of one agent is in its next request, masked, and in nobody else’s', async () => {
    const gate = Promise.withResolvers<void>();
    const work = [{ calls: [write('a', '1')], after: gate.promise }, { text: 'Done.' }];
    await using scenario = await open({ root: root(2), [first]: work, [second]: work });
    const handle = await scenario.start({ containment }, all);
    await untilAsked(scenario, [first, second]);
    await scenario.openEngine().steerAgent(handle.runId, first, `Use ${scenarioKey} and port 8081.`, ada);
    gate.resolve();
    expect((await handle.result).outcome.kind).toBe('finished');
    const [before, after] = requestsOf(scenario, first).map(({ body }) => JSON.stringify(body));
    const others = scenario.server.requests.filter((request) => agentOf(request) !== first);
    expect([before, JSON.stringify(others)].join()).not.toContain('port 8081');
    expect(after).toContain('and port 8081.');
    expect(after).not.toContain(scenarioKey);
  });

  it('of one that has just ended its turn gives it another', async () => {
    const gate = Promise.withResolvers<void>();
    const late = [{ text: 'Done.', after: gate.promise }, { text: 'Done again.' }];
    await using scenario = await open({ root: root(1), [first]: late });
    const handle = await scenario.start({ containment }, all);
    await untilAsked(scenario, [first]);
    await scenario.openEngine().steerAgent(handle.runId, first, 'One more thing.', ada);
    gate.resolve();
    expect((await handle.result).outcome.kind).toBe('finished');
    expect(requestsOf(scenario, first).map(({ body }) => JSON.stringify(body).includes('One more thing.'))).toEqual([
      false,
      true,
    ]);
  });
});

describe('a pause', () => {
  it('of one agent ends at its own requests: its place goes to the next in the queue, and the others end', async () => {
    const gate = Promise.withResolvers<void>();
    const work = [{ calls: [write('a', '1')], after: gate.promise }, { text: 'Done.' }];
    await using scenario = await open({ root: root(3), [first]: work, '*': [{ text: 'Done.' }] });
    const other = scenario.openEngine();
    const handle = await scenario.start({ containment: { ...containment, concurrent: 1 } }, all);
    await untilAsked(scenario, [first]);
    await other.pauseRun(handle.runId, first, ada);
    gate.resolve();
    const paused = await handle.result;
    expect(paused.outcome).toEqual({ kind: 'paused' });
    const ends = [first, second, third].map((agent) => statusOf(other, handle.runId, agent));
    expect(await Promise.all(ends)).toEqual([
      null,
      { kind: 'finished', checked: false },
      { kind: 'finished', checked: false },
    ]);
    expect(requestsOf(scenario, first).length).toBe(1);

    const { result } = await scenario.resume(handle.runId, all);
    expect(result.outcome.kind).toBe('finished');
    expect(requestsOf(scenario, first).length).toBe(2);
  });

  it('of the whole run lets what is under way end, and the run with it, until it is resumed', async () => {
    const gate = Promise.withResolvers<void>();
    const work = [{ calls: [write('a', '1')], after: gate.promise }, { text: 'Done.' }];
    await using scenario = await open({ root: root(2), '*': work });
    const { runId, result } = await scenario.start({ containment }, all);
    await untilAsked(scenario, [first, second]);
    await scenario.openEngine().pauseRun(runId, null, ada);
    gate.resolve();
    expect((await result).outcome).toEqual({ kind: 'paused' });
    expect(scenario.server.requests.length).toBe(3);
    expect((await scenario.resume(runId, all)).result.outcome.kind).toBe('finished');
    expect(scenario.server.requests.length).toBe(6);
  });

  it('is taken back while others work, and the agent goes on', async () => {
    const own = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    const work = [{ calls: [write('a', '1')], after: own.promise }, { text: 'Done.' }];
    const slow = [{ text: 'Done.', after: others.promise }];
    await using scenario = await open({ root: root(2), [first]: work, [second]: slow });
    const other = scenario.openEngine();
    const { runId, result } = await scenario.start({ containment }, all);
    await untilAsked(scenario, [first, second]);
    await other.pauseRun(runId, first, ada);
    own.resolve();
    await untilEvent(other, runId, ({ type, agentId }) => type === 'model-finish' && agentId === first);
    await other.unpauseAgent(runId, first, ada);
    await untilEvent(other, runId, endOf(first));
    others.resolve();
    expect((await result).outcome.kind).toBe('finished');
    expect(requestsOf(scenario, first).length).toBe(2);
  });
});

describe('a cancel', () => {
  it('of one agent ends all that work for it and what it runs, and the one it works for is told and goes on', async () => {
    const [kept, running] = [uniqueSleep(), uniqueSleep()];
    const script = {
      root: root(1),
      [first]: [
        {
          calls: [{ tool: 'process_start', arguments: { argv: ['sleep', kept] } }, spawn('Help.', { detached: true })],
        },
        { calls: [{ tool: 'exec', arguments: { argv: ['sleep', running] } }] },
      ],
      '*': [stalled],
    };
    await using scenario = await open(script);
    const helper = `${first}/1.1`;
    const { runId, result } = await scenario.start({ containment }, all);
    await untilAsked(scenario, [helper]);
    const pids = [await findWhenStarted(kept), await findWhenStarted(running)];
    const asked = [first, helper].map((agent) => requestsOf(scenario, agent).length);
    const other = scenario.openEngine();
    await other.cancelRun(runId, ada, first);
    expect((await result).outcome.kind).toBe('finished');
    const ends = [first, helper].map((agent) => statusOf(other, runId, agent));
    expect(await Promise.all(ends)).toEqual([
      { kind: 'cancelled', by: ada },
      { kind: 'cancelled', by: expect.any(String) },
    ]);
    expect([first, helper].map((agent) => requestsOf(scenario, agent).length)).toEqual(asked);
    expect(JSON.stringify(scenario.messages(-1))).toContain(`it was cancelled by ${ada}.`);
    await expect.poll(() => pids.every((pid) => readProcessState(pid)?.ended ?? true), { timeout: 60_000 }).toBe(true);
  });

  it('of a run with fifty agents at work ends them all, and no request leaves behind it', async () => {
    await using scenario = await open({ root: root(50), '*': [stalled] });
    const { runId, result } = await scenario.start({ containment }, all);
    await scenario.server.until((requests) => requests.length === 51);
    const other = scenario.openEngine();
    await other.cancelRun(runId, ada);
    expect((await result).outcome).toEqual({ kind: 'cancelled', by: ada });
    const events = await other.readEvents(runId);
    const atOf = (type: JournalEvent['type']) => events.find((event) => event.type === type)?.at ?? 0;
    process.stdout.write(`cancel of 50 agents at work: ${atOf('run-finish') - atOf('run-cancel')} ms to the end\n`);
    const { agents } = await other.readRun(runId);
    const ends = Object.values(agents).filter(({ assignment }) => assignment !== null);
    expect([ends.length, ends.every(({ ended }) => ended?.outcome.kind === 'cancelled')]).toEqual([50, true]);
    expect(scenario.server.requests.length).toBe(51);
  });
});

describe('a ceiling that a person raises', () => {
  it('lets an agent go on that waits for others to leave it room', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = [{ text: 'Done.', after: gate.promise }];
    await using scenario = await open({ root: root(2), [first]: slow, '*': [{ text: 'Done.' }] });
    const { runId, result } = await scenario.start({ containment, budgets: { tokens: 25_000 } }, all);
    await untilAsked(scenario, [first]);
    const other = scenario.openEngine();
    const waiting = toTree(await other.readRun(runId)).nodes.find(({ agentId }) => agentId === second);
    expect(waiting?.status).toEqual({ kind: 'waiting', for: 'room' });
    await other.raiseCeiling(runId, null, 'tokens', 500_000, ada);
    await untilEvent(other, runId, endOf(second));
    gate.resolve();
    expect((await result).outcome.kind).toBe('finished');
  });

  it('lets a run that has ended at its budget go on when it is resumed', async () => {
    await using scenario = await open({ root: root(1), '*': [{ text: 'Done.' }] });
    const { result } = await scenario.run({ containment, budgets: { steps: 1 } }, all);
    expect(result.outcome).toMatchObject({ kind: 'budget', which: 'steps' });
    await scenario.openEngine().raiseCeiling(result.runId, null, 'steps', 2, ada);
    expect((await scenario.resume(result.runId, all)).result.outcome.kind).toBe('finished');
  });
});

describe('a word', () => {
  it('to nobody, to one that has ended, or that does not fit is refused and changes nothing', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = [{ text: 'Done.', after: gate.promise }];
    await using scenario = await open({ root: root(2), [first]: [{ text: 'Done.' }], [second]: slow });
    const { runId, result } = await scenario.start({ containment }, all);
    const other = scenario.openEngine();
    await untilEvent(other, runId, endOf(first));
    await untilAsked(scenario, [second]);
    const before = (await other.readEvents(runId)).length;
    const words = [
      other.steerAgent(runId, 'root/9.9', 'Hello.', ada),
      other.pauseRun(runId, 'constructor', ada),
      other.cancelRun(runId, ada, ''),
      other.steerAgent(runId, first, 'Hello.', ada),
      other.pauseRun(runId, first, ada),
      other.cancelRun(runId, ada, first),
      other.raiseCeiling(runId, first, 'tokens', null, ada),
      other.steerAgent(runId, second, ' ', ada),
      other.steerAgent(runId, second, 'x'.repeat(20_001), ada),
      other.unpauseAgent(runId, second, ada),
      other.unpauseAgent(runId, 'root', ada),
      other.raiseCeiling(runId, null, 'tokens', 1, ada),
      other.raiseCeiling(runId, null, 'steps', 0.5, ada),
      other.raiseCeiling(runId, second, 'riskyActs', 1, ada),
      other.raiseCeiling(runId, null, 'costUsd', 1, ada),
    ];
    const codes = (await Promise.allSettled(words)).map(toCode);
    expect(codes).toEqual([
      ...['agent-unknown', 'agent-unknown', 'agent-unknown'],
      ...['agent-ended', 'agent-ended', 'agent-ended', 'agent-ended'],
      ...['usage', 'usage', 'agent-not-paused', 'agent-not-paused'],
      ...['ceiling-spent', 'usage', 'usage', 'unpriced'],
    ]);
    expect((await other.readEvents(runId)).length).toBe(before);
    gate.resolve();
    await result;
  });

  it('to a run that is over is refused and changes nothing', async () => {
    await using scenario = await open({ root: [{ text: 'Done.' }] });
    const { result, events } = await scenario.run({}, all);
    const { runId } = result;
    const other = scenario.openEngine();
    const words = [
      other.steerAgent(runId, null, 'Hello.', ada),
      other.pauseRun(runId, null, ada),
      other.cancelRun(runId, ada),
      other.raiseCeiling(runId, null, 'steps', null, ada),
    ];
    expect((await Promise.allSettled(words)).map(toCode)).toEqual(words.map(() => 'run-ended'));
    expect((await other.readEvents(runId)).length).toBe(events.length);
  });
});

function toCode(settled: PromiseSettledResult<void>): unknown {
  const reason: unknown = settled.status === 'rejected' ? settled.reason : null;
  return isEngineError(reason) ? reason.code : settled.status;
}

async function findWhenStarted(argument: string): Promise<number> {
  await expect.poll(() => findProcess(argument), { timeout: 60_000 }).toBeDefined();
  return findProcess(argument) ?? 0;
}

/** Seconds that nothing else on this machine sleeps. */
const uniqueSleep = (): string => `63.${randomInt(1e9)}`;
