// A run with many agents is derived again from its journal, in which their events stand in the order in which they came.
import { describe, expect, it } from 'vitest';
import { treeContract } from '../crash/tree-scene.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { openTampering, type Tampering } from '../support/open-tampering.ts';
import { containment, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;

const wait = { tool: 'wait_agents', arguments: { agents: ['root/1.0'] } };
const mail = { tool: 'send_message', arguments: { to: 'parent', text: 'Halfway.' } };
const readMail = { tool: 'read_messages', arguments: { seconds: 3600 } };

const script: TreeScript = {
  root: [
    { calls: [spawn('Be first.', { detached: true }), spawn('Be second.', { tools: ['write_file'] })] },
    { calls: [readMail, wait] },
    { text: 'Done, I think.' },
  ],
  'root/1.0': [{ calls: [mail] }, { text: 'The first one is done.' }],
  'root/1.1': [{ calls: [write('second.txt', '2')] }, { text: 'The second one is done.' }],
};

async function record(): Promise<{ scenario: Scenario; events: Awaited<ReturnType<Scenario['run']>>['events'] }> {
  const scenario = await openScenario(toTreeScript(script));
  const { result, events } = await scenario.run({ containment }, all);
  expect(result.outcome.kind).toBe('finished');
  return { scenario, events };
}

describe('a replay of a run with agents', () => {
  it('finds that it follows', async () => {
    const { scenario, events } = await record();
    await using _scenario = scenario;
    const [{ runId } = {}] = events;
    if (runId === undefined) throw new Error('The run has no events');
    expect(await scenario.engine.replayRun(runId)).toMatchObject({ divergence: null, requests: 7, calls: 6 });
  });

  const tampers: readonly (readonly [string, (tampering: Tampering) => number, string])[] = [
    [
      'who was spawned',
      ({ change, find }) => change(find('agent-spawn', 0).seq, '"title":"Be', '"title":"Be not'),
      'agent',
    ],
    [
      'what somebody was given',
      ({ change, find }) => change(find('agent-spawn', 1).seq, '["write_file"]', '["write_file","shell"]'),
      'agent root/1.1',
    ],
    [
      'how somebody ended',
      ({ change, find }) =>
        change(find('agent-finish', 0).seq, '"kind":"finished","checked":false', '"kind":"met","checked":true'),
      'plan',
    ],
    [
      'who was written to',
      ({ change, find }) => change(find('mail-send', 0).seq, '"to":"root"', '"to":"root/1.1"'),
      'addressee',
    ],
    ['what was waited for', ({ change, find }) => change(find('call-hold', 1).seq, 'root/1.0', 'root/1.1'), 'wait'],
    [
      'whose end was told',
      ({ change, find }) => change(find('call-finish', 5).seq, '"agents":["root/1.0"]', '"agents":[]'),
      'answer',
    ],
  ];

  it.each(tampers)('diverges at %s where that was tampered with', async (_what, tamper, part) => {
    const { scenario, events } = await record();
    await using _scenario = scenario;
    scenario.exemptFromReplay();
    await scenario.engine.close();
    const seq = tamper(openTampering(scenario.home, events));
    const engine = scenario.openEngine();
    const [{ runId } = {}] = events;
    if (runId === undefined) throw new Error('The run has no events');
    const { divergence } = await engine.replayRun(runId);
    expect(divergence).toMatchObject({ seq, what: expect.stringContaining(part) });
  });

  it('follows where agents share a ceiling that runs out, where one is cancelled, and where time is up for all', async () => {
    const many = Array.from({ length: 6 }, (_agent, place) =>
      spawn(`Be ${place}.`, { detached: place > 3, budgets: { steps: 500 } }),
    );
    const busy: TreeScript = {
      root: [{ calls: many }, { text: 'Done.' }, { text: 'Done.' }],
      '*': ({ agent, position }) => ({ calls: [write(`${agent.replaceAll('/', '-')}.txt`, String(position))] }),
    };
    await using scenario = await openScenario(toTreeScript(busy));
    const { events } = await scenario.run({ ...treeContract, budgets: { steps: 30, tokens: 60_000 } }, all);
    const ends = events.flatMap((event) => (event.type === 'agent-finish' ? [event.outcome] : []));
    expect(ends).toContainEqual(expect.objectContaining({ kind: 'budget', which: 'tokens' }));
    const handle = await scenario.start({ ...treeContract, budgets: { wallMs: 3000 } }, all);
    let cancelled: Promise<unknown> | null = null;
    for await (const events of handle.events()) {
      const child = events.find((event) => event.type === 'model-finish' && event.agentId === 'root/1.1');
      if (child !== undefined) cancelled ??= scenario.engine.cancelRun(handle.runId, 'person:test', child.agentId);
    }
    await cancelled;
    expect((await handle.result).outcome).toMatchObject({ kind: 'budget', which: 'wallMs' });
    for (const { runId } of await scenario.engine.listRuns()) {
      expect(await scenario.engine.replayRun(runId)).toMatchObject({ divergence: null });
    }
  }, 60_000);
});
