// Another model in a person's place: paid from the same ledger, never the run's own, and no answer where it gives none.
import { describe, expect, it } from 'vitest';
import type { RunSettingsParams } from '../../src/engine/index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';

const reviewing: RunSettingsParams = { approve: 'model', reviewer: 'other/careful' };
const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'new' } };

const price = { inputPerMTok: 3, outputPerMTok: 3 };

function open(review: ScriptedReply, reviewerPrice: object = { 'other/careful': price }): Promise<Scenario> {
  return openScenario(
    ({ position, body }) => {
      if (body.model === 'other/careful') return review;
      return position === 0 ? { calls: [write] } : { text: 'Done.' };
    },
    { prices: { scripted: { inputPerMTok: 1, outputPerMTok: 1 }, ...reviewerPrice } },
  );
}

const say = (decision: string, usage = { prompt: 1000, completion: 100 }): ScriptedReply => ({
  text: JSON.stringify({ decision, reason: 'because it says so' }),
  usage,
});

describe('a reviewing model', () => {
  it('lets a call start that it approves, in its own name and at the run’s cost', async () => {
    await using scenario = await open(say('approve'));
    const { result, events } = await scenario.run({}, reviewing);
    expect([result.outcome.kind, scenario.read('a.txt')]).toEqual(['finished', 'new']);
    const reviews = events.flatMap((event) => (event.type === 'review-finish' ? [event] : []));
    expect(reviews).toMatchObject([{ model: 'other/careful', decision: 'approve', costUsd: 0.0033 }]);
    const own = events.flatMap((event) => (event.type === 'model-finish' ? [event.costUsd ?? 0] : []));
    expect(result.usage.costUsd).toBeCloseTo(
      own.reduce((sum, cost) => sum + cost, 0.0033),
      9,
    );
  });

  it('refuses a call that it denies, and the model is told by whom', async () => {
    await using scenario = await open(say('deny'));
    const { result } = await scenario.run({}, reviewing);
    expect(result.denied).toMatchObject([
      { target: 'a.txt', because: expect.stringContaining('model:other/careful said no: because it says so') },
    ]);
  });

  it.each<[string, ScriptedReply]>([
    ['it leaves open', say('defer')],
    ['it answers with something else', { text: 'Sure, go ahead!' }],
    ['it answers twice', { text: '{"decision":"deny","reason":"a","decision":"approve"}' }],
    ['its answer is cut off', { text: '{"decision":"approve","reason":"a"}', finishReason: 'length' }],
    ['it cannot be reached', { fault: { kind: 'status', status: 503 } }],
  ])('leaves to people what %s', async (_title, review) => {
    await using scenario = await open(review);
    const { result } = await scenario.run({}, reviewing);
    expect(result.outcome.kind).toBe('awaitingApproval');
    const asked = scenario.server.requests.filter(({ body }) => body?.model === 'other/careful');
    expect(asked).toHaveLength(1);
  });

  it('is not asked where what is left of the budget would not pay for it', async () => {
    await using scenario = await open(say('approve'));
    const { result } = await scenario.run({ budgets: { costUsd: 0.02 } }, reviewing);
    expect(result.outcome.kind).toBe('awaitingApproval');
    expect(scenario.server.requests.some(({ body }) => body?.model === 'other/careful')).toBe(false);
  });

  it.each(['scripted', 'openai/scripted', 'scripted:free'])(
    'is never the run’s own model (as %s)',
    async (reviewer) => {
      await using scenario = await open(say('approve'));
      await expect(scenario.start({}, { approve: 'model', reviewer })).rejects.toMatchObject({ code: 'usage' });
      expect(scenario.server.requests).toEqual([]);
    },
  );

  it('must have a price where money is limited, and else one that could not be reached leaves the spend of the run known', async () => {
    await using scenario = await open({ fault: { kind: 'status', status: 503 } }, {});
    const limited = scenario.start({ budgets: { costUsd: 1 } }, reviewing);
    await expect(limited).rejects.toMatchObject({ code: 'unpriced' });
    expect(await scenario.engine.listRuns()).toEqual([]);
    const { result } = await scenario.run({}, reviewing);
    expect(result.usage.costUsd).toBeGreaterThan(0);
  });

  it('must be named', async () => {
    await using scenario = await open(say('approve'));
    await expect(scenario.start({}, { approve: 'model' })).rejects.toMatchObject({ code: 'usage' });
    expect(await scenario.engine.listRuns()).toEqual([]);
  });
});
