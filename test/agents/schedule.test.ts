import { describe, expect, it } from 'vitest';
import { openScenario, type RunRecord } from '../support/open-scenario.ts';
import { countMostOpen, listAskers } from '../support/read-tree.ts';
import { containment, spawn, type TreeRequest, toTreeScript } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;
const list = { tool: 'list_dir', arguments: { path: '.' } };
const finished = { kind: 'finished', checked: false };
const many = (count: number, more: Readonly<Record<string, unknown>> = {}) =>
  Array.from({ length: count }, () => spawn('Do a part.', more));

const spawnedBy = ({ events }: RunRecord) =>
  events.flatMap((event) => (event.type === 'agent-spawn' ? [event.child] : []));
const endsOf = ({ events }: RunRecord) =>
  events.flatMap((event) => (event.type === 'agent-finish' ? [[event.agentId, event.outcome.kind]] : []));

describe('the cap on agents at work', () => {
  it('is kept at the provider by the whole tree, and those that wait for others take no place', async () => {
    const script = toTreeScript({
      root: [{ calls: many(5) }, { text: 'All done.' }],
      '*': ({ agent, position }: TreeRequest) => {
        const isParent = agent.split('/').length === 2;
        if (isParent && position === 0) return { calls: many(3), delayMs: 15 };
        return position === 0 ? { calls: [list], delayMs: 15 } : { text: 'Done.', delayMs: 15 };
      },
    });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment: { ...containment, concurrent: 3 } }, all);
    expect(record.result.outcome).toEqual(finished);
    expect(endsOf(record).map(([, kind]) => kind)).toEqual(Array(20).fill('finished'));
    expect(countMostOpen(scenario.server.requests)).toBe(3);
  });

  it('of one lets every generation come to its end', async () => {
    const script = toTreeScript({
      '*': ({ agent, position }: TreeRequest) => {
        const depth = agent.split('/').length - 1;
        return depth < 3 && position === 0 ? { calls: many(2) } : { text: `${agent} is done.` };
      },
    });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment: { ...containment, concurrent: 1 } }, all);
    expect(record.result.outcome).toEqual(finished);
    expect(spawnedBy(record)).toHaveLength(2 + 4 + 8);
    expect(countMostOpen(scenario.server.requests)).toBe(1);
  });

  it('is given in turn to whoever waits, in the order in which they were spawned', async () => {
    const script = toTreeScript({
      root: [{ calls: many(8) }, { text: 'All done.' }],
      // The first ones are slow, so that places become free one by one.
      '*': ({ agent }: TreeRequest) => ({ text: 'Done.', delayMs: agent < 'root/1.2' ? 60 : 5 }),
    });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment: { ...containment, concurrent: 2 } }, all);
    expect(record.result.outcome).toEqual(finished);
    const askers = listAskers(scenario.server.requests).filter((agent) => agent !== 'root');
    expect(askers).toEqual(spawnedBy(record));
  });
});

describe('waves of agents', () => {
  it('come and go, twenty times four, each told in the order in which they were spawned', async () => {
    const script = toTreeScript({
      root: Array.from({ length: 21 }, (_, wave) => (wave < 20 ? { calls: many(4) } : { text: 'All done.' })),
      '*': ({ agent }: TreeRequest) => ({ text: `This is ${agent}.`, delayMs: agent.endsWith('.0') ? 10 : 0 }),
    });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment: { ...containment, concurrent: 4 }, budgets: { steps: 30 } }, all);
    expect(record.result.outcome).toEqual(finished);
    const told = scenario.messages(-1).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => /This is (\S+)\./.exec(String(content))?.[1])).toEqual(spawnedBy(record));
    expect(spawnedBy(record)).toHaveLength(80);
  });
});

describe('a spawn beyond a cap', () => {
  it('of two hundred in a row is refused after so many in all, although all before have ended, and the run goes on', async () => {
    const script = toTreeScript({
      root: Array.from({ length: 201 }, (_, turn) => (turn < 200 ? { calls: many(1) } : { text: 'All done.' })),
      '*': [{ text: 'Done.' }],
    });
    await using scenario = await openScenario(script);
    const contract = { containment: { total: 197, depth: 1 }, budgets: { steps: 300 } };
    const record = await scenario.run(contract, all);
    expect(record.result.outcome).toEqual(finished);
    const told = scenario.messages(-1).filter(({ role }) => role === 'tool');
    const refusal =
      'No agent was spawned: the cap on agents in all is 197, you included, and 197 were made; 0 are left.';
    expect(told.map(({ content }) => String(content).includes(refusal))).toEqual(
      Array.from({ length: 200 }, (_, turn) => turn >= 196),
    );
    expect(endsOf(record)).toHaveLength(196);
  });

  it('is refused within one reply as well, for those that are too many', async () => {
    const script = toTreeScript({ root: [{ calls: many(5) }, { text: 'All done.' }], '*': [{ text: 'Done.' }] });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment: { total: 4, depth: 1 } }, all);
    expect(spawnedBy(record)).toEqual(['root/1.0', 'root/1.1', 'root/1.2']);
    const told = scenario.messages(-1).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => String(content).startsWith('No agent was spawned'))).toEqual([
      ...[false, false, false],
      ...[true, true],
    ]);
  });

  it('is not even offered to the last generation, and refused when it asks all the same', async () => {
    const script = toTreeScript({
      root: [{ calls: many(1) }, { text: 'All done.' }],
      'root/1.0': [{ calls: many(1) }, { text: 'I did it myself.' }],
    });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment: { ...containment, depth: 1 } }, all);
    expect([record.result.outcome, spawnedBy(record)]).toEqual([finished, ['root/1.0']]);
    const answers = scenario.server.requests.map(({ body }) => JSON.stringify(body?.messages));
    expect(answers.some((text) => text.includes('There is no tool named \\"spawn_agent\\"'))).toBe(true);
  });

  it.each([
    ['an unknown tool', { tools: ['fly'] }, /you have no tool "fly" to give\. Yours are: /],
    ['an unknown model', { model: 'best' }, /the contract allows no model "best" here\. It allows: scripted\./],
    [
      'a pattern that matches nothing',
      { deny: [{ act: 'write', pattern: 'a/**' }] },
      /the pattern "a\/\*\*" in "deny"/,
    ],
    ['no goal', { goal: ' ' }, /goal/],
    ['a limit of nothing', { budgets: { steps: 0 } }, /budgets/],
    ['a wish that there is no word for', { policy: { allow: '*' } }, /policy/],
  ])('and one with %s comes to nothing, and says why', async (_what, more, reason) => {
    const script = toTreeScript({ root: [{ calls: many(1, more) }, { text: 'Then not.' }] });
    await using scenario = await openScenario(script);
    const record = await scenario.run({ containment }, all);
    expect([record.result.outcome, spawnedBy(record), scenario.server.requests.length]).toEqual([finished, [], 2]);
    expect(scenario.messages(-1).at(-1)?.content).toMatch(reason);
  });
});
