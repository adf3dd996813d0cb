import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/support/create-random.ts';
import { fakeBlob, simulateRun } from '../../test/support/simulate-run.ts';
import type { EventBody, EventOf, ProviderChoice } from './event.ts';
import { foldRun } from './fold-run.ts';
import { rootAgentId } from './id.ts';
import type { RunState } from './run-state.ts';

/** A run that could have happened, crashes included, and its events. */
const anyRun = fc
  .record({
    seed: fc.integer(),
    crashChance: fc.constantFrom(0, 0.05, 0.3),
    contextTokens: fc.constantFrom(8000, 128_000),
    tokens: fc.constantFrom(null, 50_000),
  })
  .map(({ seed, crashChance, contextTokens, tokens }) =>
    simulateRun({ random: createRandom(seed), crashChance, contextTokens, budgets: { steps: 30, tokens } }),
  );

describe('foldRun', () => {
  it('gives the same state in any batching', () => {
    fc.assert(
      fc.property(anyRun, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }), ({ events }, sizes) => {
        let state: RunState | null = null;
        let from = 0;
        for (const size of [...sizes, events.length]) {
          state = foldRun(state, events.slice(from, from + size));
          from += size;
        }
        expect(state).toEqual(foldRun(null, events));
      }),
      { numRuns: 60 },
    );
  });

  it('goes on from a snapshot that was sent as JSON, at any point', () => {
    fc.assert(
      fc.property(anyRun, fc.double({ min: 0, max: 1, noNaN: true }), ({ events }, place) => {
        const cut = 1 + Math.floor(place * (events.length - 1));
        const snapshot = JSON.parse(JSON.stringify(foldRun(null, events.slice(0, cut))));
        expect(foldRun(snapshot, events.slice(cut))).toEqual(foldRun(null, events));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps every result directly behind the reply that asked for it, in the order of its calls', () => {
    fc.assert(
      fc.property(anyRun, ({ state }) => {
        for (const { context } of Object.values(state.agents)) expect(misplaced(context)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('settles what was spent once, however often the run was taken up again', () => {
    fc.assert(
      fc.property(anyRun, ({ events, state }) => {
        const settled = events
          .filter((event) => event.type === 'model-finish')
          .reduce((total, { usage }) => total + usage.inputTokens + usage.outputTokens, 0);
        const { inputTokens, outputTokens } = state.ledger.settled;
        expect(inputTokens + outputTokens).toBe(settled);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses events that do not begin with a start', () => {
    const { events } = simulateRun({ random: () => 0.5 });
    expect(() => foldRun(null, events.slice(1))).toThrow(RangeError);
  });
});

describe('a resume', () => {
  it('charges the request that a crash left open as perhaps billed, once, and gives its step back', () => {
    const state = foldAfter(modelStart(1), resumed(), modelStart(1), resumed());
    expect([state.ledger.unknown, state.ledger.outstanding.requests, rootOf(state).step]).toEqual([
      { requests: 2, tokens: 40, costUsd: null },
      0,
      0,
    ]);
  });

  it('ends a pause, and never a cancel: what a person ended while nobody drove it stays ended', () => {
    const state = foldAfter({ type: 'run-pause', actor: 'p' }, { type: 'run-cancel', actor: 'c' }, resumed());
    expect(state.wishes).toEqual({ cancelledBy: 'c', pausedBy: null });
  });

  it('keeps the count of tokens under the same model, and drops it under one that counts in another way', () => {
    const reply = [modelStart(1), finished('calls')];
    const counts = [provider, { ...provider, model: 'other' }, { ...provider, name: 'other' }].map(
      (choice) => rootOf(foldAfter(...reply, resumed(choice))).counted?.tokens ?? null,
    );
    expect(counts).toEqual([13, null, null]);
  });
});

describe('a turn that ends without calls', () => {
  it('is a claim, however often it is checked and taken up again', () => {
    const check = [checkStart, checkFinish('notEvaluated'), resumed(), checkStart, checkFinish('notEvaluated')];
    const { claims, phase } = rootOf(foldAfter(modelStart(1), finished('stop'), ...check, resumed()));
    expect({ claims, phase }).toEqual({ claims: 1, phase: { kind: 'claiming' } });
  });

  it.each(['length', 'filter'] as const)('is no claim when it was cut off (%s)', (finish) => {
    const { claims, phase } = rootOf(foldAfter(modelStart(1), finished(finish)));
    expect({ claims, phase }).toEqual({ claims: 0, phase: { kind: 'cut-off' } });
  });
});

describe('a ledger', () => {
  it('is unpriced from the first reply without a known cost on', () => {
    const priced = foldAfter(modelStart(1), finished('stop', 0.5), stepFinish, modelStart(2), finished('stop', 0.25));
    const unpriced = foldAfter(modelStart(1), finished('stop', 0.5), stepFinish, modelStart(2), finished('stop'));
    expect([priced.ledger.costUsd, unpriced.ledger.costUsd]).toEqual([0.75, null]);
  });
});

describe('a compaction', () => {
  it('leaves a result in place whose pointer would be longer than it', () => {
    const results = [finishedCall(0, 30), finishedCall(1, 9000)];
    const before = foldAfter(modelStart(1), finished('calls', null, 2), ...results);
    const bytesBefore = rootOf(before).contextBytes;
    const after = foldRun(before, [{ ...place(before, 1), type: 'context-compact', before: 5, ...compactCounts }]);
    const saved = bytesBefore - (after === null ? 0 : rootOf(after).contextBytes);
    expect(saved).toBeGreaterThan(8700);
    expect(saved).toBeLessThan(9000);
  });
});

describe('the changed paths of a run', () => {
  it('stand there once, in the order in which they changed, in a list that a long run does not make anew', () => {
    const step = [modelStart(1), finished('calls'), changed('b.txt', 'a.txt'), stepFinish];
    const state = foldAfter(...step, modelStart(2), finished('calls'));
    const list = state.changed;
    foldRun(state, [{ ...place(state, 2), ...changed('a.txt', 'c.txt') }]);
    expect(list).toEqual(['b.txt', 'a.txt', 'c.txt']);
    expect(state.changed).toBe(list);
  });

  it('are ten thousand at most, and the first ones', () => {
    const paths = Array.from({ length: 9_999 }, (_, name) => `${name}.txt`);
    const state = foldAfter(modelStart(1), finished('calls'), changed(...paths, 'last.txt', 'left.txt', '1.txt'));
    expect(state.changed).toEqual([...paths, 'last.txt']);
  });
});

const provider: ProviderChoice = { name: 'simulated', wire: 'custom', baseUrl: null, model: 'chance' };
const compactCounts = { replaced: 1, tokensBefore: 1, tokensAfter: 1 };
const stepFinish: EventBody = { type: 'step-finish', activeMs: 0 };
const checkStart: EventBody = { type: 'check-start', trigger: 'claim' };

const modelStart = (attempt: number): EventBody => ({
  type: 'model-start',
  attempt,
  reservation: { inputTokens: 10, outputTokens: 10, costUsd: null },
  maxOutputTokens: 10,
  activeMs: 0,
});

const finished = (finish: EventOf<'model-finish'>['finish'], costUsd: number | null = null, calls = 1): EventBody => ({
  type: 'model-finish',
  attempt: 1,
  message: fakeBlob('reply'),
  finish,
  calls:
    finish === 'calls' ? Array.from({ length: calls }, (_, call) => ({ call, id: `c${call}`, tool: 'read_file' })) : [],
  usage: { inputTokens: 10, outputTokens: 3, cachedInputTokens: 0 },
  costUsd,
  firstEventMs: 0,
  durationMs: 0,
  activeMs: 0,
});

const changed = (...paths: string[]): EventBody => ({ ...finishedCall(0, 30), changed: true, paths });

const finishedCall = (call: number, bytes: number): Extract<EventBody, { type: 'call-finish' }> => ({
  type: 'call-finish',
  call,
  tool: 'read_file',
  status: 'ok',
  target: 'a.txt',
  result: fakeBlob(`result ${call}`, bytes),
  seen: [],
  changed: false,
  durationMs: 0,
});

const checkFinish = (result: 'notMet' | 'notEvaluated'): EventBody => ({
  type: 'check-finish',
  trigger: 'claim',
  result,
  summary: 's',
  evidence: fakeBlob('e'),
  isolation: null,
  durationMs: 0,
  activeMs: 0,
});

const resumed = (choice: ProviderChoice = provider): EventBody => ({
  type: 'run-resume',
  provider: choice,
  posture: 'all',
  policyHash: 'p',
  contextTokens: 128_000,
  price: null,
});

/** The state after these events of a run that has a price. */
function foldAfter(...bodies: readonly EventBody[]): RunState {
  const [start] = simulateRun({ random: () => 0.5, maxEvents: 1 }).events;
  if (start?.type !== 'run-start') throw new Error('A simulation begins with run-start');
  const state = foldRun(null, [{ ...start, price: { inputPerMTok: 1, outputPerMTok: 1 } }]);
  if (state === null) throw new Error('A start gives a state');
  for (const body of bodies) foldRun(state, [{ ...place(state, 1), ...body }]);
  return state;
}

const place = ({ runId, seq }: RunState, step: number) => ({ runId, agentId: rootAgentId, step, seq: seq + 1, at: 0 });

function rootOf({ agents }: RunState) {
  const root = agents[rootAgentId];
  if (root === undefined) throw new Error('A run has a root');
  return root;
}

/** Positions of results that do not follow their reply, or a lower call of the same reply. */
function misplaced(context: RunState['agents'][keyof RunState['agents']]['context']): number[] {
  return context.flatMap((item, place) => {
    if (item.role !== 'result') return [];
    const before = context[place - 1];
    const follows = before?.role === 'assistant' || (before?.role === 'result' && before.call < item.call);
    return follows ? [] : [place];
  });
}
