import { describe, expect, it } from 'vitest';
import { agentIn, asked, by, foldTree, replied, rootSpawns } from '../../../test/support/fold-tree.ts';
import { fits, type Room, roomLeft } from './room-left.ts';

const unlimited = Number.POSITIVE_INFINITY;
const price = { inputPerMTok: 1, outputPerMTok: 1 };

describe('roomLeft', () => {
  it('tells of every ledger that a request is paid from, the own first and the root last', () => {
    const start = { budgets: { tokens: 1000, costUsd: 2 }, price };
    const children = rootSpawns(2, { price, budgets: { tokens: 500 } });
    const spend = by('root/1.0', asked(50, 50, 0.5), replied([], { costUsd: 0.25 }));
    const open = by('root/1.1', asked(100, 20, 1));
    const state = foldTree(start, children, spend, open);
    expect(roomLeft(state, agentIn(state, 'root/1.0'))).toEqual([
      { tokens: 485, costUsd: unlimited, atBest: { tokens: 485, costUsd: unlimited } },
      { tokens: 850, costUsd: 0.75, atBest: { tokens: 970, costUsd: 1.75 } },
    ]);
    expect(roomLeft(state, agentIn(state, 'root/1.1'))[0]).toEqual({
      tokens: 380,
      costUsd: unlimited,
      atBest: { tokens: 500, costUsd: unlimited },
    });
  });

  it('counts what may have been billed as spent, on every ledger above', () => {
    const lost = by('root/1.0', asked(60, 40), {
      type: 'model-fail',
      attempt: 1,
      failure: 'connection',
      message: 'gone',
      retryAtMs: null,
      charge: 'unknown',
      activeMs: 0,
    });
    const state = foldTree({ budgets: { tokens: 1000 } }, rootSpawns(1, { budgets: { tokens: 300 } }), lost);
    expect(roomLeft(state, agentIn(state, 'root/1.0')).map(({ tokens }) => tokens)).toEqual([200, 885]);
  });

  it('leaves nothing of a money limit once something was spent that nobody knows the price of', () => {
    const unpriced = by('root/1.0', asked(1, 1), replied([], { costUsd: null }));
    const state = foldTree({ budgets: { costUsd: 5 }, price }, rootSpawns(2), unpriced);
    expect(roomLeft(state, agentIn(state, 'root/1.1'))[1]).toMatchObject({ costUsd: 0, atBest: { costUsd: 0 } });
  });
});

describe('fits', () => {
  const room = (tokens: number, costUsd: number): Room => ({ tokens, costUsd, atBest: { tokens, costUsd } });
  const worst = { inputTokens: 60, outputTokens: 40, costUsd: 0.5 };

  it.each([
    ['just as much is left', room(100, 0.5), worst, true],
    ['a token is missing', room(99, 0.5), worst, false],
    ['a part of the money is missing', room(100, 0.49), worst, false],
    ['nothing is limited and the price is unknown', room(unlimited, unlimited), { ...worst, costUsd: null }, true],
    ['money is limited and the price is unknown', room(unlimited, 100), { ...worst, costUsd: null }, false],
  ])('says whether a worst case fits where %s', (_what, left, reservation, expected) => {
    expect(fits(left, reservation)).toBe(expected);
  });
});
