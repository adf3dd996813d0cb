import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/support/create-random.ts';
import { fakeBlob, type SimulationOptions, simulateRun } from '../../../test/support/simulate-run.ts';
import type { EventBody, JournalEvent, Posture } from '../../shared/event.ts';
import { foldRun } from '../../shared/fold-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';
import { plan } from './plan.ts';

const kindOf = (tool: string) => (tool === 'edit_file' ? 'write' : 'read');
const anyPosture = fc.constantFrom<Posture>('all', 'ask', 'model', 'deny', 'defer');
const now = { activeMs: 0 };

describe('plan', () => {
  it('leads every run to an outcome within its budgets, whatever happens', () => {
    fc.assert(
      fc.property(
        anyBudgets,
        anyChance,
        fc.constantFrom(0, 0.1),
        anyPosture,
        (budgets, chance, crashChance, posture) => {
          const { state } = simulateRun({ random: chance(), budgets, crashChance, posture, maxEvents: 2000 });
          const { outcome, riskyActs, agents, ledger } = state;
          expect(outcome).not.toBeNull();
          expect(agents[rootAgentId]?.step).toBeLessThanOrEqual(budgets.steps);
          if (budgets.riskyActs !== null && crashChance === 0) expect(riskyActs).toBeLessThanOrEqual(budgets.riskyActs);
          if (budgets.tokens !== null) {
            expect(totalTokens(ledger.settled) + ledger.unknown.tokens).toBeLessThanOrEqual(budgets.tokens);
          }
        },
      ),
      { numRuns: 80 },
    );
  });

  it('does not change the state it reads, and gives the same actions again', () => {
    fc.assert(
      fc.property(anyChance, (chance) => {
        const { events } = simulateRun({ random: chance() });
        for (let length = 1; length <= events.length; length += 3) {
          const state = fold(events.slice(0, length));
          const before = structuredClone(state);
          expect(plan(state, now, kindOf)).toEqual(plan(state, now, kindOf));
          expect(state).toEqual(before);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('asks nothing more while a request is open', () => {
    expect(planAfter({}, modelStart)).toEqual([]);
  });

  it('starts reads that stand together at once, and a write alone', () => {
    const calls = ['read_file', 'read_file', 'edit_file', 'read_file'];
    expect(planAfter({}, modelStart, reply(calls), ...calls.map((_, call) => judged(call, 'allow')))).toEqual([
      { kind: 'start', agentId: 'root', calls: [0, 1] },
    ]);
  });

  it('never starts a read before a write that precedes it', () => {
    const calls = ['edit_file', 'read_file'];
    expect(planAfter({}, modelStart, reply(calls), judged(0, 'allow'), judged(1, 'allow'))).toEqual([
      { kind: 'start', agentId: 'root', calls: [0] },
    ]);
  });

  it('raises all questions of a reply before any of its calls waits', () => {
    const calls = ['edit_file', 'edit_file'];
    const actions = planAfter({ posture: 'defer' }, modelStart, reply(calls), judged(0, 'ask'), judged(1, 'ask'));
    expect(actions).toEqual([{ kind: 'request', agentId: 'root', calls: [0, 1] }]);
  });

  it('waits for an answer only when nothing before it can go on', () => {
    const calls = ['read_file', 'edit_file'];
    const events = [modelStart, reply(calls), judged(0, 'allow'), judged(1, 'ask'), requested(1)];
    expect(planAfter({ posture: 'defer' }, ...events)).toEqual([{ kind: 'start', agentId: 'root', calls: [0] }]);
    expect(planAfter({ posture: 'defer' }, ...events, started(0), finished(0))).toEqual([
      { kind: 'stop', outcome: { kind: 'awaitingApproval', requests: ['request-1'] } },
    ]);
  });

  it('starts a call that a person approved, and refuses one that a person denied', () => {
    const events = [modelStart, reply(['edit_file']), judged(0, 'ask'), requested(0)];
    const decide = (decision: 'approve' | 'deny'): EventBody => ({
      type: 'approval-decision',
      request: 'request-0',
      decision,
      actor: 'a person',
    });
    expect(planAfter({ posture: 'defer' }, ...events, decide('approve'))).toEqual([
      { kind: 'start', agentId: 'root', calls: [0] },
    ]);
    expect(planAfter({ posture: 'defer' }, ...events, decide('deny')).map(({ kind }) => kind)).toEqual(['answer']);
  });

  it.each<Posture>(['ask', 'defer', 'model'])('asks nobody (%s) about what no budget is left for', (posture) => {
    const events = [modelStart, reply(['edit_file', 'edit_file']), judged(0, 'ask'), judged(1, 'ask')];
    const [check] = planAfter({ posture, budgets: { riskyActs: 0 } }, ...events);
    expect(check).toEqual({ kind: 'check', agentId: 'root', trigger: 'riskyActs' });
    const one = [...events, requested(0), requested(1), decided(0), riskyStart(0), finished(0)];
    expect(planAfter({ posture, budgets: { riskyActs: 1 } }, ...one)).toEqual([check]);
  });

  it('checks once more when a budget is spent, and stops without a second check when nothing has changed since', () => {
    const spent = { budgets: { steps: 1 } };
    const read = [modelStart, reply(['read_file']), judged(0, 'allow'), started(0), finished(0), stepFinish];
    expect(planAfter(spent, ...read)).toEqual([{ kind: 'check', agentId: 'root', trigger: 'steps' }]);
    expect(planAfter(spent, modelStart, reply([]), checkStart('claim'), checkFinish('claim', 'notMet'))).toEqual([
      { kind: 'stop', outcome: { kind: 'budget', which: 'steps', reason: 'All 1 steps are used.' } },
    ]);
  });

  it('lets a met contract win over a spent budget', () => {
    const events = [modelStart, reply(['read_file']), judged(0, 'allow'), started(0), finished(0), stepFinish];
    const checked = [...events, checkStart('steps'), checkFinish('steps', 'met')];
    expect(planAfter({ budgets: { steps: 1 } }, ...checked)).toEqual([
      { kind: 'stop', outcome: { kind: 'met', checked: true } },
    ]);
  });

  it('ends as not met after three claims without a change', () => {
    const claim = [modelStart, reply([]), checkStart('claim'), checkFinish('claim', 'notMet')];
    const shown: EventBody[] = [{ type: 'observation', kind: 'check-evidence', content: fakeBlob('no') }, stepFinish];
    expect(planAfter({}, ...claim).map(({ kind }) => kind)).toEqual(['show-evidence']);
    const third = planAfter({}, ...claim, ...shown, ...claim, ...shown, ...claim);
    expect(third).toMatchObject([{ kind: 'stop', outcome: { kind: 'notMet' } }]);
  });

  it('asks again, under a new driver, for the reply that a crash left open, as the same step', () => {
    expect(planAfter({}, modelStart, resumed)).toMatchObject([{ kind: 'reason', step: 1, attempt: 1 }]);
  });

  it('finds out about an edit that a crash interrupted, and repeats a read', () => {
    const edit = [modelStart, reply(['edit_file']), judged(0, 'allow'), started(0, 'compare'), resumed];
    expect(planAfter({}, ...edit)).toEqual([{ kind: 'settle', agentId: 'root', call: 0 }]);
    const read = [modelStart, reply(['read_file']), judged(0, 'allow'), started(0), resumed];
    expect(planAfter({}, ...read)).toEqual([{ kind: 'judge', agentId: 'root', call: 0 }]);
  });

  it('waits for the next attempt by the time it is active, wherever the wall clock jumps to', () => {
    const failed = (at: number) => {
      const body = {
        type: 'model-fail',
        attempt: 1,
        failure: 'server',
        message: 'HTTP 503',
        retryAtMs: at + 500,
        charge: 'none',
        activeMs: 0,
      } as const;
      return planAfter({}, modelStart, { ...body, at } as EventBody);
    };
    const day = 24 * 3_600_000;
    const wait = [{ kind: 'wait', agentId: 'root', untilActiveMs: 500 }];
    expect([failed(3 * day), failed(day)]).toEqual([wait, wait]);
  });

  it('stops for a cancel at any point', () => {
    const cancel: EventBody = { type: 'run-cancel', actor: 'a person' };
    expect(planAfter({}, modelStart, cancel)).toEqual([
      { kind: 'stop', outcome: { kind: 'cancelled', by: 'a person' } },
    ]);
  });
});

const anyChance = fc.integer().map((seed) => () => createRandom(seed));

const anyBudgets = fc.record({
  steps: fc.integer({ min: 1, max: 20 }),
  tokens: fc.constantFrom(null, 20_000, 200_000),
  riskyActs: fc.constantFrom(null, 0, 2),
});

interface Situation {
  readonly posture?: Posture;
  readonly budgets?: SimulationOptions['budgets'];
}

/** What is planned after these events of a run. */
function planAfter({ posture = 'all', budgets }: Situation, ...bodies: EventBody[]) {
  const { events } = simulateRun({ random: () => 0.5, maxEvents: 1, ...(budgets === undefined ? {} : { budgets }) });
  const [start] = events;
  if (start?.type !== 'run-start') throw new Error('A simulation begins with run-start');
  const all: JournalEvent[] = [{ ...start, posture }];
  for (const body of bodies) {
    const claimed = all.filter(({ type }) => type === 'model-start').length;
    const step = body.type === 'model-start' ? claimed + 1 : claimed;
    const { runId, agentId, at } = start;
    all.push({ runId, agentId, at, step, seq: all.length + 1, ...body });
  }
  return plan(fold(all), now, kindOf);
}

function fold(events: readonly JournalEvent[]): RunState {
  const state = foldRun(null, events);
  if (state === null) throw new Error('No events, no state');
  return state;
}

const modelStart: EventBody = {
  type: 'model-start',
  attempt: 1,
  reservation: { inputTokens: 10, outputTokens: 10, costUsd: null },
  maxOutputTokens: 10,
  activeMs: 0,
};

const reply = (tools: readonly string[]): EventBody => ({
  type: 'model-finish',
  attempt: 1,
  message: fakeBlob('reply'),
  finish: tools.length === 0 ? 'stop' : 'calls',
  calls: tools.map((tool, call) => ({ call, id: `c${call}`, tool })),
  usage: { inputTokens: 10, outputTokens: 10, cachedInputTokens: 0 },
  costUsd: null,
  firstEventMs: 0,
  durationMs: 0,
  activeMs: 0,
});

const judged = (call: number, effect: 'allow' | 'ask' | 'deny'): EventBody => ({
  type: 'act-judged',
  call,
  act: 'write',
  target: 'a',
  effect,
  rule: null,
  layer: 'default',
  because: 'by default',
});

const requested = (call: number): EventBody => ({
  type: 'approval-request',
  call,
  request: `request-${call}`,
  act: 'write',
  target: 'a',
  because: 'by default',
});

const decided = (call: number): EventBody => ({
  type: 'approval-decision',
  request: `request-${call}`,
  decision: 'approve',
  actor: 'a person',
});

const started = (call: number, recovery: 'repeat' | 'compare' = 'repeat'): EventBody => ({
  type: 'call-start',
  call,
  tool: 'any',
  class: recovery,
  risky: false,
  ...(recovery === 'compare' ? { change: { path: 'a', before: null, after: fakeBlob('new') } } : {}),
});

const riskyStart = (call: number): EventBody => ({
  type: 'call-start',
  call,
  tool: 'any',
  class: 'compare',
  risky: true,
});

const finished = (call: number): EventBody => ({
  type: 'call-finish',
  call,
  tool: 'any',
  status: 'ok',
  target: 'a',
  result: fakeBlob('result'),
  seen: [],
  changed: false,
  durationMs: 0,
});

const stepFinish: EventBody = { type: 'step-finish', activeMs: 0 };
const checkStart = (trigger: 'claim' | 'steps'): EventBody => ({ type: 'check-start', trigger });
const checkFinish = (trigger: 'claim' | 'steps', result: 'met' | 'notMet'): EventBody => ({
  type: 'check-finish',
  trigger,
  result,
  summary: 'It says no.',
  evidence: fakeBlob('no'),
  isolation: null,
  durationMs: 0,
  activeMs: 0,
});

const resumed: EventBody = {
  type: 'run-resume',
  provider: { name: 'simulated', wire: 'custom', baseUrl: null, model: 'chance' },
  posture: 'all',
  policyHash: 'p',
  contextTokens: 128_000,
  price: null,
};
