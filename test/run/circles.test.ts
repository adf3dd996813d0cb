import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedRequest } from '../support/scripted-model-script.ts';
import { containment, spawn, toTreeScript } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;
const budgets = { steps: 40 };

const told = ({ messages }: Pick<ScriptedRequest, 'messages'>): boolean =>
  messages.some(({ role, content }) => role === 'user' && String(content).includes('nothing has changed in between'));

/** What the journal says that the model was told of its circles, by step. */
async function listWarnings(scenario: Scenario): Promise<number[]> {
  const [run] = await scenario.engine.listRuns();
  if (run === undefined) throw new Error('There is no run');
  const events = await scenario.engine.readEvents(run.runId);
  return events.flatMap((event) => (event.type === 'observation' && event.kind === 'repetition' ? [event.step] : []));
}

describe('a run that goes round in a circle', () => {
  it('is told after five of the same calls with the same result, and ends as not done when it goes on', async () => {
    await using scenario = await openScenario(
      () => ({ calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] }),
      { files: { 'a.txt': 'the same' } },
    );
    const { result } = await scenario.run({ budgets }, all);
    expect(result).toMatchObject({ outcome: { kind: 'stalled' }, exitCode: 1 });
    expect([await listWarnings(scenario), scenario.server.requests.length]).toEqual([[5], 8]);
  });

  it('goes on unharmed when it heeds what it was told', async () => {
    await using scenario = await openScenario(
      (request) =>
        told(request)
          ? { text: 'It says "the same".' }
          : { calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] },
      { files: { 'a.txt': 'the same' } },
    );
    const { result } = await scenario.run({ budgets }, all);
    expect([result.outcome.kind, await listWarnings(scenario)]).toEqual(['finished', [5]]);
  });

  it('is none while something changes in between, or comes out differently', async () => {
    await using scenario = await openScenario(
      ({ position }) => {
        if (position >= 12) return { text: 'Done.' };
        const content = String(position);
        const write = { tool: 'write_file', arguments: { path: 'b.txt', content } };
        return { calls: [position % 2 === 0 ? { tool: 'read_file', arguments: { path: 'a.txt' } } : write] };
      },
      { files: { 'a.txt': 'the same' } },
    );
    const { result } = await scenario.run({ budgets }, all);
    expect([result.outcome.kind, await listWarnings(scenario)]).toEqual(['finished', []]);
  });

  it('is noticed also where it sleeps and looks, however the look comes out', async () => {
    await using scenario = await openScenario(({ position }) => ({
      calls: [{ tool: 'shell', arguments: { command: `sleep 0; echo ${position}` } }],
    }));
    const { result } = await scenario.run({ budgets }, all);
    expect([result.outcome.kind, await listWarnings(scenario)]).toEqual(['stalled', [5]]);
  });

  it('forgets nothing of it over a restart', async () => {
    let isStuck = true;
    await using scenario = await openScenario(
      ({ position }) => ({
        calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }],
        delayMs: isStuck && position === 3 ? 600_000 : 0,
      }),
      { files: { 'a.txt': 'the same' } },
    );
    const handle = await scenario.start({ budgets }, all);
    for await (const events of handle.events()) {
      if (events.some(({ type, step }) => type === 'model-start' && step === 4)) handle.interrupt('SIGTERM');
    }
    await handle.result;
    isStuck = false;
    const { result } = await scenario.resume(handle.runId);
    expect([result.outcome.kind, await listWarnings(scenario)]).toEqual(['stalled', [5]]);
  });

  it('is one also where it asks for more agents than it is given', async () => {
    const script = toTreeScript({
      root: () => ({ calls: [spawn('Do it for me.')] }),
      '*': [{ text: 'Done.' }],
    });
    await using scenario = await openScenario(script);
    const { result } = await scenario.run({ containment: { ...containment, total: 3 }, budgets }, all);
    expect(result.outcome.kind).toBe('stalled');
    expect(scenario.server.requests.length).toBe(2 + 2 + 8);
  });
});
