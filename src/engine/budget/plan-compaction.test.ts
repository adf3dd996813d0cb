import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/support/create-random.ts';
import { fakeBlob, simulateRun } from '../../../test/support/simulate-run.ts';
import type { ContextItem } from '../../shared/context-item.ts';
import { applyEvent, foldRun } from '../../shared/fold-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { AgentState, RunSettings, RunState } from '../../shared/run-state.ts';
import { estimateInputTokens } from './bound-request.ts';
import { compactTo, planCompaction, shrinkTo } from './plan-compaction.ts';

const start = simulateRun({ random: () => 0.5, maxEvents: 1 }).state;
/** 8,000 tokens, of which 2,000 are for the reply: the context may have 6,000, and is brought down to 4,000. */
const settings: RunSettings = { ...start.settings, contextTokens: 8000, maxOutputTokens: 4096, toolBytes: 0 };

describe('planCompaction', () => {
  it('waits until the request and its reply no longer fit', () => {
    expect(planCompaction(agentWith(steps(3500, 17_500)), settings)).toBeNull();
    expect(planCompaction(agentWith(steps(3501, 17_500)), settings)).not.toBeNull();
  });

  it('replaces the oldest results, down to half the window in one go and no further', () => {
    const compaction = planCompaction(agentWith(steps(...Array<number>(8).fill(3500))), settings);
    expect(compaction).toEqual({ before: 10, replaced: 5, tokensBefore: 8000, tokensAfter: expect.any(Number) });
    expect(compaction?.tokensAfter).toBeLessThanOrEqual(4000);
    expect(compaction?.tokensAfter).toBeGreaterThan(3000);
  });

  it('goes on where the last one ended', () => {
    const agent = { ...agentWith(steps(7000, 7000, 7000, 7000, 7000)), compactedBefore: 4 };
    expect(planCompaction(agent, settings)).toMatchObject({ before: 8, replaced: 2 });
  });

  it('never takes the results of the last step, which the model has not seen', () => {
    const agent = agentWith([...steps(100), ...results(20_000, 20_000)]);
    expect(planCompaction(agent, settings)).toBeNull();
    expect(planCompaction(agentWith([...steps(9000), ...steps(20_000)]), settings)).toMatchObject({ replaced: 1 });
  });

  it('gives up when only texts are left, which nothing stands for', () => {
    const texts: ContextItem[] = [
      { role: 'system', blob: fakeBlob('system', 20_000) },
      { role: 'assistant', blob: fakeBlob('reply', 20_000) },
      { role: 'user', blob: fakeBlob('evidence', 20_000) },
    ];
    expect(planCompaction(agentWith(texts), settings)).toBeNull();
  });

  it('takes no result that is shorter than its pointer', () => {
    expect(compactTo(agentWith([...steps(100, 100, 100), ...steps(100)]), settings, 0)).toBeNull();
  });

  it('needs no second go where the count before was lower than what sizes say afterwards', () => {
    const sparse = { ...agentWith(steps(...Array<number>(20).fill(3000))), counted: counted(6500) };
    const after = applyCompaction(sparse);
    expect(estimateInputTokens(after, settings)).toBeLessThanOrEqual(4000);
    expect(planCompaction(after, settings)).toBeNull();
  });

  it('compacts what the provider counted as too much although its size looks small', () => {
    const dense = { ...agentWith(steps(5000, 5000, 1000)), counted: counted(6500) };
    expect(planCompaction(dense, settings)).toMatchObject({ replaced: 2, tokensBefore: 6500 });
  });

  it('leaves the oldest turns out, whole and all at once, where pointers are no longer enough', () => {
    const many = agentWith([...head, ...steps(...Array<number>(200).fill(200))]);
    const after = applyCompaction(many);
    expect(estimateInputTokens(after, settings)).toBeLessThanOrEqual(settings.contextTokens / 2);
    expect(after.context[after.leftOut.before]?.role).toBe('assistant');
    expect(after.leftOut.turns).toBe((after.leftOut.before - 2) / 2);
    expect(planCompaction(after, settings)).toBeNull();
  });

  it('never leaves out what the run began with, nor the turn whose results the model has not seen', () => {
    const last = agentWith([...head, ...steps(200, 200, 200, 100_000)]);
    const after = applyCompaction(last);
    const { context, leftOut } = after;
    expect(context.slice(leftOut.before).map(({ role }) => role)).toEqual(['assistant', 'result']);
    expect(planCompaction(after, settings)).toBeNull();
  });

  it('has every request of a run fit its small window, unless nothing is left to compact, and never goes twice', () => {
    fc.assert(
      fc.property(anyRun, ({ events }) => {
        for (const { before, next } of walk(events)) {
          const agent = rootOf(before);
          if (next.type === 'model-start') {
            const room = before.settings.contextTokens - Math.min(before.settings.maxOutputTokens, 2000);
            const fits = estimateInputTokens(agent, before.settings) <= room;
            expect(fits || shrinkTo(agent, before.settings, 0) === null).toBe(true);
          }
          if (next.type === 'context-compact') expect(before.seq).not.toBe(lastCompaction(events, next.seq));
        }
      }),
      { numRuns: 30 },
    );
  });
});

const anyRun = fc
  .integer()
  .map((seed) => simulateRun({ random: createRandom(seed), contextTokens: 8000, budgets: { steps: 25 } }));

/** Each event of a run with the state before it; the state is the same object every time. */
function* walk(events: ReturnType<typeof simulateRun>['events']) {
  const [first, ...rest] = events;
  const state = first === undefined ? null : foldRun(null, [first]);
  if (state === null) return;
  for (const next of rest) {
    yield { before: state, next };
    applyEvent(state, next);
  }
}

function lastCompaction(events: ReturnType<typeof simulateRun>['events'], beforeSeq: number): number | undefined {
  return events.findLast(({ type, seq }) => type === 'context-compact' && seq < beforeSeq)?.seq;
}

/** The agent after the compaction that is planned for it, as the fold makes it. */
function applyCompaction(agent: AgentState): AgentState {
  const compaction = planCompaction(agent, settings);
  if (compaction === null) throw new Error('A compaction was due');
  const state: RunState = { ...structuredClone(start), agents: { [rootAgentId]: structuredClone(agent) } };
  const { runId, seq } = state;
  applyEvent(state, {
    type: 'context-compact',
    ...{ runId, agentId: rootAgentId, step: 0, seq: seq + 1, at: 0 },
    ...compaction,
  });
  return rootOf(state);
}

const counted = (tokens: number) => ({ tokens, bytesSince: 0, itemsSince: 0 });

const head: readonly ContextItem[] = [
  { role: 'system', blob: fakeBlob('system', 100) },
  { role: 'user', blob: fakeBlob('task', 100) },
];

/** One step for each size: a reply of no size, and its one result. */
const steps = (...sizes: readonly number[]): ContextItem[] =>
  sizes.flatMap((bytes) => [{ role: 'assistant' as const, blob: fakeBlob('reply', 0) }, ...results(bytes)]);

const results = (...sizes: readonly number[]): ContextItem[] =>
  sizes.map((bytes, call) => ({
    role: 'result',
    blob: fakeBlob('result', bytes),
    callId: `c${call}`,
    call,
    tool: 'read_file',
    target: 'a.txt',
    whole: fakeBlob('result', bytes),
  }));

function agentWith(context: readonly ContextItem[]): AgentState {
  const contextBytes = context.reduce((total, { blob }) => total + blob.bytes, 0);
  return { ...structuredClone(rootOf(start)), context: [...context], contextBytes };
}

function rootOf({ agents }: RunState): AgentState {
  const root = agents[rootAgentId];
  if (root === undefined) throw new Error('A run has a root');
  return root;
}
