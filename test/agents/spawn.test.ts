import { describe, expect, it } from 'vitest';
import { openScenario } from '../support/open-scenario.ts';
import { containment, spawn, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;

describe('agents that another one has spawned', () => {
  it('work side by side in one workspace, and what they report is told in the order in which they were spawned', async () => {
    const script = toTreeScript({
      root: [{ calls: ['one', 'two', 'three'].map((name) => spawn(`Write ${name}.`)) }, { text: 'All done.' }],
      'root/1.0': [{ calls: [write('one', '1')], delayMs: 200 }, { text: 'One is written.' }],
      'root/1.1': [{ calls: [write('two', '2')] }, { text: 'Two is written.' }],
      'root/1.2': [{ calls: [write('three', '3')] }, { text: 'Three is written.' }],
    });
    await using scenario = await openScenario(script);
    const { result } = await scenario.run({ containment }, all);
    expect(result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(['one', 'two', 'three'].map(scenario.read)).toEqual(['1', '2', '3']);
    const told = scenario.messages(-1).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => /(\S+) is written/.exec(String(content))?.[1])).toEqual(['One', 'Two', 'Three']);
  });

  it('work with another model where the contract allows one and the spawn names it', async () => {
    const script = toTreeScript({
      root: [{ calls: [spawn('Write one.', { model: 'other' })] }, { text: 'All done.' }],
      'root/1.0': [{ calls: [write('one', '1')] }, { text: 'One is written.' }],
    });
    await using scenario = await openScenario(script);
    const { result } = await scenario.run({ containment: { ...containment, models: ['other'] } }, all);
    expect([result.outcome.kind, scenario.read('one')]).toEqual(['finished', '1']);
    expect(scenario.server.requests.map(({ body }) => body?.model)).toEqual(['scripted', 'other', 'other', 'scripted']);
  });

  it('are checked for themselves, and what was found of them is no evidence of the run', async () => {
    const verification = { kind: 'fileEquals', file: 'one', text: '1' };
    const script = toTreeScript({
      root: [{ calls: [spawn('Write one.', { verification })] }, { text: 'All done.' }],
      'root/1.0': [{ text: 'It is there.' }, { calls: [write('one', '1')] }, { text: 'One is written.' }],
    });
    await using scenario = await openScenario(script);
    const { result } = await scenario.run({ containment }, all);
    expect([result.outcome, result.evidence]).toEqual([{ kind: 'finished', checked: false }, null]);
    expect(JSON.stringify(scenario.messages(-1))).toContain('its check holds.');
  });
});
