import { describe, expect, it } from 'vitest';
import {
  agentIn,
  asked,
  by,
  foldTree,
  rootSpawns,
  type SpawnOptions,
  type Told,
  type TreeStart,
} from '../../../test/support/fold-tree.ts';
import { simulateRun } from '../../../test/support/simulate-run.ts';
import type { AgentState, LedgerState, RunSettings, RunState } from '../../shared/run-state.ts';
import type { Budgets } from '../../shared/task-contract.ts';
import { reserve } from './reserve.ts';

/** The next request is counted as exactly 1,000 input tokens. */
const inputTokens = 1000;
const price = { inputPerMTok: 1, outputPerMTok: 10 };

interface Situation {
  readonly budgets?: Partial<Budgets>;
  readonly settings?: Partial<RunSettings>;
  readonly ledger?: Partial<LedgerState>;
}

describe('reserve', () => {
  it('sets aside the input bound and the whole output limit where nothing is limited', () => {
    expect(reserveIn({ settings: { price } })).toEqual(reserved(4096, 0.04196));
  });

  it('leaves the cost unknown, never zero, without a price', () => {
    expect(reserveIn({})).toEqual(reserved(4096, null));
  });

  it.each([
    ['plenty is left', 100_000, reserved(4096, null)],
    ['less than the output limit is left', 3000, reserved(2000, null)],
    ['just the least reply fits', 1256, reserved(256, null)],
    ['not even that fits', 1255, spent('tokens')],
    ['the input alone does not fit', 999, spent('tokens')],
  ])('clamps the output to the tokens that are left: %s', (_what, tokens, expected) => {
    expect(reserveIn({ budgets: { tokens } })).toEqual(expected);
  });

  it.each([
    ['plenty is left', 1, reserved(4096, 0.04196)],
    ['less than the output limit is left', 0.011005, reserved(1000, 0.011)],
    ['not even the least reply fits', 0.00355, spent('costUsd')],
    ['the input alone does not fit', 0.0009, spent('costUsd')],
  ])('clamps the output to the money that is left: %s', (_what, costUsd, expected) => {
    expect(reserveIn({ budgets: { costUsd }, settings: { price } })).toEqual(expected);
  });

  it('takes the narrower of two limits', () => {
    const settings = { price };
    expect(reserveIn({ budgets: { tokens: 2000, costUsd: 0.006 }, settings })).toEqual(reserved(500, 0.006));
    expect(reserveIn({ budgets: { tokens: 1500, costUsd: 1 }, settings })).toEqual(reserved(500, 0.006));
  });

  it('counts what is settled, and what may have been billed without an answer, as spent', () => {
    const ledger = {
      settled: { inputTokens: 4000, outputTokens: 1000, cachedInputTokens: 4000 },
      costUsd: 0.1,
      unknown: { requests: 1, tokens: 2000, costUsd: 0.2 },
    };
    expect(reserveIn({ budgets: { tokens: 9000 }, ledger })).toEqual(reserved(1000, null));
    expect(reserveIn({ budgets: { tokens: 8000 }, ledger })).toEqual(spent('tokens'));
    expect(reserveIn({ budgets: { costUsd: 0.311005 }, ledger, settings: { price } })).toEqual(reserved(1000, 0.011));
    expect(reserveIn({ budgets: { costUsd: 0.301 }, ledger, settings: { price } })).toEqual(spent('costUsd'));
  });

  it.each<[string, Situation]>([
    ['the model is unpriced', { ledger: { costUsd: 0 } }],
    ['a reply without a known cost was settled', { settings: { price }, ledger: { costUsd: null } }],
    [
      'what may have been billed has no known cost',
      { settings: { price }, ledger: { unknown: { requests: 1, tokens: 1, costUsd: null } } },
    ],
  ])('spends nothing from a money budget when %s', (_what, situation) => {
    expect(reserveIn({ ...situation, budgets: { costUsd: 100 } })).toEqual(spent('costUsd'));
  });

  it('is not held up by output that costs nothing', () => {
    const free = { inputPerMTok: 1, outputPerMTok: 0 };
    expect(reserveIn({ budgets: { costUsd: 0.001 }, settings: { price: free } })).toEqual(reserved(4096, 0.001));
  });

  it('lets a model go on whose whole output limit is below the least reply', () => {
    const settings = { maxOutputTokens: 100 };
    expect(reserveIn({ budgets: { tokens: 1100 }, settings })).toEqual(reserved(100, null));
    expect(reserveIn({ budgets: { tokens: 1099 }, settings })).toEqual(spent('tokens'));
  });
});

describe('reserve, for one of several agents', () => {
  const open = by('root/1.1', asked(1000, 4096));

  it('waits for others where all that they have set aside might be left over', () => {
    const room = { budgets: { tokens: 8000 } };
    expect(reserveAmong(room, {})).toMatchObject({ kind: 'reserved', reservation: { outputTokens: 4096 } });
    expect(reserveAmong(room, {}, open)).toEqual({ kind: 'outstanding' });
  });

  it('clamps to what is left when nothing is set aside for others, and does not wait for what could not help', () => {
    expect(reserveAmong({ budgets: { tokens: 3000 } }, {})).toMatchObject({ kind: 'reserved' });
    const own = { budgets: { tokens: 3000 } };
    const clamped = reserveAmong({}, own, open);
    expect(clamped).toMatchObject({ kind: 'reserved' });
    expect(clamped.kind === 'reserved' && clamped.reservation.outputTokens).toBeLessThan(3000);
  });

  it('is spent at once where even the whole of what is set aside would not do', () => {
    expect(reserveAmong({ budgets: { tokens: 20 } }, {}, by('root/1.1', asked(5, 5)))).toEqual(spent('tokens'));
    expect(reserveAmong({ budgets: { tokens: 100_000 } }, { budgets: { tokens: 20 } }, open)).toEqual(spent('tokens'));
  });

  it('is held to its own ceiling as well as to that of the tree', () => {
    const inTree = reserveAmong({ budgets: { tokens: 4000 } }, {});
    const inChild = reserveAmong({ budgets: { tokens: 100_000 } }, { budgets: { tokens: 2000 } });
    const outputs = [inTree, inChild].map((result) =>
      result.kind === 'reserved' ? result.reservation.inputTokens + result.reservation.outputTokens : null,
    );
    expect(outputs).toEqual([4000 - 15, 2000]);
  });

  it('never spends of a money ceiling above it for a model that nobody knows the price of, and does not wait for it', () => {
    const priced = by('root/1.1', asked(10, 10, 0.1));
    expect(reserveAmong({ budgets: { costUsd: 5 }, price }, { model: 'other', price: null }, priced)).toEqual(
      spent('costUsd'),
    );
  });

  it('pays what the model of the run costs now, where it works with that', () => {
    const state = foldTree({ price }, rootSpawns(1, { price }));
    const dearer = { ...state, settings: { ...state.settings, price: { inputPerMTok: 0, outputPerMTok: 100 } } };
    expect(reserve(dearer, agentIn(dearer, 'root/1.0'))).toMatchObject({ reservation: { costUsd: 0.4096 } });
  });
});

/** What the first of two agents is given after this. */
function reserveAmong(start: TreeStart, child: SpawnOptions, ...told: readonly (readonly Told[])[]) {
  const state = foldTree(start, rootSpawns(2, child), ...told);
  return reserve(state, agentIn(state, 'root/1.0'));
}

function reserved(outputTokens: number, costUsd: number | null) {
  const cost = costUsd === null ? null : expect.closeTo(costUsd, 12);
  return { kind: 'reserved', reservation: { inputTokens, outputTokens, costUsd: cost } };
}

function spent(which: 'tokens' | 'costUsd') {
  return { kind: 'spent', which };
}

function reserveIn({ budgets = {}, settings = {}, ledger = {} }: Situation) {
  const { state } = simulateRun({ random: () => 0.5, maxEvents: 1 });
  const [root] = Object.values(state.agents);
  if (root === undefined) throw new Error('A run has a root');
  const agent: AgentState = { ...root, counted: { tokens: inputTokens, bytesSince: 0, itemsSince: 0 } };
  const priced = settings.price ? { costUsd: 0, unknown: { requests: 0, tokens: 0, costUsd: 0 } } : {};
  const situation: RunState = {
    ...state,
    settings: { ...state.settings, ...settings, budgets: { ...state.settings.budgets, ...budgets } },
    ledger: { ...state.ledger, ...priced, ...ledger },
  };
  return reserve(situation, agent);
}
