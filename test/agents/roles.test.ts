import { describe, expect, it } from 'vitest';
import { openScenario } from '../support/open-scenario.ts';
import { containment, spawn, toTreeScript, write } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;

const roles = {
  reader: { instructions: 'You read and report.\nChange nothing.', tools: ['read_file', 'grep'] },
  'source-writer': { instructions: 'You change sources.', deny: [{ act: 'write' as const, pattern: 'test/*' }] },
};

describe('the roles of a contract', () => {
  it('are told to whoever spawns by their first line, and to the agent word for word', async () => {
    const script = toTreeScript({
      root: [{ calls: [spawn('Read it.', { role: 'reader' })] }, { text: 'Done.' }],
      '*': [{ text: 'Read.' }],
    });
    await using scenario = await openScenario(script);
    await scenario.run({ containment: { ...containment, roles } }, all);
    const prompts = scenario.server.requests.map((_, place) => String(scenario.messages(place)[1]?.content));
    expect(prompts[0]).toContain('- reader: You read and report.\n- source-writer: You change sources.');
    expect(prompts[1]).toContain('Your role:\nYou read and report.\nChange nothing.');
  });

  it('give no other tools than they say, also where others are asked for', async () => {
    const script = toTreeScript({
      root: [{ calls: [spawn('Read it.', { role: 'reader', tools: ['read_file', 'write_file'] })] }, { text: 'Done.' }],
      'root/1.0': [{ calls: [write('a.txt', 'x')] }, { text: 'I cannot.' }],
    });
    await using scenario = await openScenario(script);
    await scenario.run({ containment: { ...containment, roles } }, all);
    const told = scenario.messages(2).find(({ role }) => role === 'tool')?.content;
    expect(told).toBe('There is no tool named "write_file". The tools are: read_file.');
  });

  it('deny what they deny', async () => {
    const script = toTreeScript({
      root: [{ calls: [spawn('Write.', { role: 'source-writer' })] }, { text: 'Done.' }],
      'root/1.0': [{ calls: [write('test/a.txt', 'x'), write('src/a.txt', 'y')] }, { text: 'Done.' }],
    });
    await using scenario = await openScenario(script);
    const { result } = await scenario.run({ containment: { ...containment, roles } }, all);
    expect(result.denied.map(({ target }) => target)).toEqual(['test/a.txt']);
    expect(scenario.read('src/a.txt')).toBe('y');
  });

  it('bring no model along that a host with a model of its own does not have', async () => {
    await using scenario = await openScenario([]);
    const provider = {
      choice: { name: 'own', wire: 'custom', baseUrl: null, model: 'mine' } as const,
      measure: () => 0,
      complete: () => Promise.reject(new Error('It is not asked')),
      close: async () => undefined,
    };
    const engine = scenario.openEngine({ provider });
    const contract = scenario.contract({
      containment: { roles: { other: { instructions: 'Think.', model: 'theirs' } } },
    });
    await expect(engine.startRun({ contract, approve: 'all' })).rejects.toMatchObject({ code: 'contract-invalid' });
    expect(await engine.listRuns()).toEqual([]);
  });

  it('are refused by name where the contract has no such', async () => {
    const script = toTreeScript({
      root: [{ calls: [spawn('Do it.', { role: 'constructor' })] }, { text: 'Done.' }],
    });
    await using scenario = await openScenario(script);
    await scenario.run({ containment: { ...containment, roles } }, all);
    const told = scenario.messages(-1).find(({ role }) => role === 'tool')?.content;
    expect(told).toBe(
      'No agent was spawned: the contract names no role "constructor". It names: reader, source-writer.',
    );
  });
});
