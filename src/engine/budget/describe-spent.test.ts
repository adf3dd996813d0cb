import { describe, expect, it } from 'vitest';
import { simulateRun } from '../../../test/support/simulate-run.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import { BudgetWhich } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import { describeSpent } from './describe-spent.ts';

const { state } = simulateRun({ random: () => 0.5, maxEvents: 1 });
const root = agentOf(state, { agentId: rootAgentId });
const spent: RunState = {
  ...state,
  activeMs: 61_400,
  settings: {
    ...state.settings,
    budgets: { steps: 12, wallMs: 60_000, tokens: 5000, costUsd: 0.5, retries: 2, riskyActs: 3 },
  },
  ledger: {
    settled: { inputTokens: 4000, outputTokens: 321, cachedInputTokens: 0 },
    costUsd: 0.48764,
    unknown: { requests: 0, tokens: 0, costUsd: 0 },
    outstanding: { requests: 0, tokens: 0, costUsd: 0 },
  },
};
const doubtful = (requests: number): RunState => ({
  ...spent,
  ledger: { ...spent.ledger, unknown: { requests, tokens: 9, costUsd: 0.1 } },
});

describe('describeSpent', () => {
  it('says of every budget how it stands', () => {
    expect(Object.fromEntries(BudgetWhich.options.map((which) => [which, describeSpent(spent, root, which)]))).toEqual({
      steps: 'All 12 steps are used.',
      wallMs: '61 s of 60 s active time are used.',
      tokens: '4321 of 5000 tokens are used; the next request could need more than is left.',
      costUsd: '$0.4876 of $0.5 is spent; the next request could cost more than is left.',
      riskyActs: 'All 3 acts that need a yes are used.',
    });
  });

  it('names requests that may have been billed without an answer', () => {
    expect([1, 2].map((requests) => describeSpent(doubtful(requests), root, 'tokens'))).toEqual([
      '4321 of 5000 tokens are used, and 1 unanswered request may have been billed too; the next request could need more than is left.',
      '4321 of 5000 tokens are used, and 2 unanswered requests may have been billed too; the next request could need more than is left.',
    ]);
  });
});
