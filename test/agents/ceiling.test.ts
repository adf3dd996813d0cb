import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/shared/event.ts';
import { createRandom } from '../support/create-random.ts';
import { openScenario } from '../support/open-scenario.ts';
import { findOverspent, listAskers, listUnused, readFirstReservations } from '../support/read-tree.ts';
import { containment, spawn, type TreeRequest, toTreeScript } from '../support/tree-script.ts';

const all = { approve: 'all' } as const;
const twenty = [{ calls: Array.from({ length: 20 }, () => spawn('Do a part.')) }, { text: 'All done.' }];
const list = { tool: 'list_dir', arguments: { path: '.' } };
const price = { inputPerMTok: 3, outputPerMTok: 15 };

const outcomesOf = (events: readonly JournalEvent[]) =>
  events.flatMap((event) => (event.type === 'agent-finish' ? [event.outcome.kind] : []));
const countOf = <Item>(items: readonly Item[], item: Item): number => items.filter((other) => other === item).length;

describe('a ceiling over twenty agents at once', () => {
  it.each([
    ['tokens', {}],
    ['money', { prices: { scripted: price } }],
  ])('of five full requests (%s) lets exactly five of theirs reach the provider', async (kind, options) => {
    let usageOf: (agent: string) => { prompt: number; completion: number } = () => ({ prompt: 1, completion: 1 });
    const script = toTreeScript({
      '*': ({ agent, position }: TreeRequest) => ({ ...twentyOf(agent, position), usage: usageOf(agent), delayMs: 20 }),
    });
    await using scenario = await openScenario(script, options);
    // The first run only tells how much each of the requests is at most.
    const free = await scenario.run({ containment }, all);
    const worst = readFirstReservations(free.events);
    const toTokens = (agent: string): number => {
      const { inputTokens = 0, outputTokens = 0 } = worst.get(agent) ?? {};
      return inputTokens + outputTokens;
    };
    const toUsd = (agent: string): number => worst.get(agent)?.costUsd ?? 0;
    const before = scenario.server.requests.length;
    usageOf = (agent) => {
      const { inputTokens = 0, outputTokens = 0 } = worst.get(agent) ?? {};
      return { prompt: inputTokens, completion: outputTokens };
    };
    const ceiling =
      kind === 'tokens'
        ? { tokens: toTokens('root') + 5 * toTokens('root/1.0') }
        : { costUsd: toUsd('root') + 5 * toUsd('root/1.0') + 1e-9 };
    const { result, events } = await scenario.run({ containment: { ...containment, ...ceiling } }, all);
    const askers = listAskers(scenario.server.requests.slice(before));
    expect(askers.filter((agent) => agent !== 'root')).toEqual([0, 1, 2, 3, 4].map((call) => `root/1.${call}`));
    expect(result.outcome).toMatchObject({ kind: 'budget', which: kind === 'tokens' ? 'tokens' : 'costUsd' });
    const ends = outcomesOf(events);
    expect([countOf(ends, 'finished'), countOf(ends, 'budget')]).toEqual([5, 15]);
    expect(findOverspent(events)).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])('is never passed, and not left while a request fits (chance %i)', async (seed) => {
    const random = createRandom(seed);
    const prompts = new Map<string, number>();
    const script = toTreeScript({
      '*': ({ agent, position, body }: TreeRequest) => {
        // What was sent before is sent again, with a little more; what comes back is never longer than was asked for.
        const prompt = (prompts.get(agent) ?? Math.ceil(random() * 8000)) + 8;
        prompts.set(agent, prompt);
        const completion = Math.ceil(random() * Number(body.max_tokens));
        return { ...twentyOf(agent, position, 4), usage: { prompt, completion }, delayMs: Math.floor(random() * 10) };
      },
    });
    await using scenario = await openScenario(script);
    const tokens = 120_000 + Math.floor(random() * 60_000);
    const { result, events } = await scenario.run({ containment: { ...containment, tokens } }, all);
    expect(findOverspent(events)).toEqual([]);
    expect(result.usage.inputTokens + result.usage.outputTokens).toBeLessThanOrEqual(tokens);
    expect(countOf(outcomesOf(events), 'budget')).toBeGreaterThan(0);
    expect(listUnused(events)[0]).toBeLessThan(0);
  });
});

/** The root spawns twenty; each of those takes some turns. */
function twentyOf(agent: string, position: number, turns = 1) {
  if (agent === 'root') return twenty[position];
  return position + 1 < turns ? { calls: [list] } : { text: 'A part is done.' };
}

describe('the ceilings of one agent', () => {
  it('end it alone, each with its own reason, and its parent goes on', async () => {
    const script = toTreeScript({
      root: [
        {
          calls: [
            spawn('Steps.', { budgets: { steps: 2 } }),
            spawn('Tokens.', { budgets: { tokens: 30_000 } }),
            spawn('Money.', { budgets: { costUsd: 0.2 } }),
            spawn('Time.', { budgets: { wallMs: 400 } }),
          ],
        },
        { text: 'All done.' },
      ],
      'root/1.3': [{ text: 'Late.', delayMs: 20_000 }],
      '*': () => ({ calls: [list], usage: { prompt: 9000, completion: 4000 } }),
    });
    await using scenario = await openScenario(script, { prices: { scripted: price } });
    const { result, events } = await scenario.run({ containment }, all);
    expect(result.outcome).toEqual({ kind: 'finished', checked: false });
    const ends = events.flatMap((event) =>
      event.type === 'agent-finish' && event.outcome.kind === 'budget' ? [[event.agentId, event.outcome.which]] : [],
    );
    expect(Object.fromEntries(ends)).toEqual({
      'root/1.0': 'steps',
      'root/1.1': 'tokens',
      'root/1.2': 'costUsd',
      'root/1.3': 'wallMs',
    });
    expect(findOverspent(events)).toEqual([]);
    const told = scenario.messages(-1).filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => /not done \(budget\)\. (.*)/.exec(String(content))?.[1])).toEqual([
      'All 2 steps are used.',
      expect.stringMatching(/^\d+ of 30000 tokens are used; /),
      expect.stringMatching(/^\$\d\.\d+ of \$0\.2 is spent; /),
      expect.stringMatching(/^\d s of 0\.4 s active time are used\.$/),
    ]);
  });
});
