import { describe, expect, it } from 'vitest';
import { countTurns } from '../support/count-turns.ts';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';

const all = { approve: 'all', contextTokens: 12_000 } as const;
const steps = 120;
const files = { 'a.txt': 'A line of some length.\n'.repeat(20), 'b.txt': 'Another line.\n'.repeat(20) };

/** Reads in turn, so that no two calls in a row are the same, and never looks at what was said. */
const script = ({ position }: { readonly position: number }) =>
  position >= steps
    ? { text: 'Done.' }
    : {
        text: `Turn ${position}.`,
        calls: [{ tool: 'read_file', arguments: { path: position % 2 === 0 ? 'a.txt' : 'b.txt' } }],
      };

/** The script by how many turns there were, shown or not. */
const open = (): Promise<Scenario> =>
  openScenario(
    (request) => {
      // As a provider would count it.
      const usage = { prompt: Math.ceil(JSON.stringify(request.body).length / 4), completion: 20 };
      return { ...script({ position: countTurns(request.messages) }), usage };
    },
    { files },
  );

const sizes = ({ server }: Scenario): number[] => server.requests.map(({ body }) => JSON.stringify(body).length);

describe('a run that is longer than the window of its model', () => {
  it('goes on with what fits: pointers first, and then without its oldest turns', async () => {
    await using scenario = await open();
    const { result } = await scenario.run({ budgets: { steps: null } }, all);
    expect([result.outcome.kind, scenario.server.requests.length]).toEqual(['finished', steps + 1]);
    const largest = Math.max(...sizes(scenario).slice(steps / 2));
    expect(largest).toBeLessThan(1.2 * Math.max(...sizes(scenario).slice(0, steps / 2)));
    const last = scenario.messages(-1);
    expect(last.slice(0, 3).map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(String(last[2]?.content)).toMatch(/^\[\d+ earlier turns were left out to save room\./);
    const faults = scenario.server.requests.flatMap((_, place) => findPairingFaults(scenario.messages(place)));
    expect(faults).toEqual([]);
  });

  it('asks for the same after a restart, and follows', async () => {
    await using scenario = await open();
    const { result, events } = await scenario.run({ budgets: { steps: 90 } }, all);
    expect(result.outcome.kind).toBe('budget');
    expect(events.some((event) => event.type === 'context-compact' && event.leftOut !== undefined)).toBe(true);
    const before = scenario.messages(-1).length;
    await scenario.engine.raiseCeiling(result.runId, null, 'steps', 92, 'person:test');
    await scenario.resume(result.runId);
    expect(Math.abs(scenario.messages(-1).length - before)).toBeLessThan(8);
    expect((await scenario.engine.replayRun(result.runId)).divergence).toBeNull();
  });

  it('can be taken back to where its oldest turns were still shown', async () => {
    await using scenario = await open();
    const { result } = await scenario.run({ budgets: { steps: 90 } }, all);
    const aim = { kind: 'step', step: 5 } as const;
    await scenario.engine.rewindRun(result.runId, { actor: 'person:test', aim, mode: 'carry-out', foreign: 'leave' });
    await scenario.engine.raiseCeiling(result.runId, null, 'steps', 100, 'person:test');
    const sent = scenario.server.requests.length;
    await scenario.resume(result.runId);
    expect(scenario.messages(sent).filter(({ role }) => role === 'assistant').length).toBe(5);
  });
});
