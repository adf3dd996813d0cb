import { describe, expect, it } from 'vitest';
import { newRunId } from '../../../../test/journal/journal-samples.ts';
import { type PruneCandidate, planPrune } from './plan-prune.ts';

const candidate = (lastAt: number, rest: Partial<PruneCandidate> = {}): PruneCandidate => ({
  runId: newRunId(),
  lastAt,
  bytes: 1,
  isOver: true,
  isOwned: false,
  ...rest,
});

describe('a plan to prune', () => {
  it('takes what is over and old enough, the oldest first, and says of the rest why it stays', () => {
    const [young, old, older] = [candidate(30), candidate(20), candidate(10)];
    const [owned, open] = [candidate(1, { isOwned: true }), candidate(1, { isOver: false })];
    const { removable, kept } = planPrune([young, old, owned, older, open], { before: 30, toBytes: null });
    expect(removable).toEqual([older, old]);
    expect(kept).toEqual([
      { runId: young.runId, why: 'it is not old enough' },
      { runId: owned.runId, why: 'it is being driven' },
      { runId: open.runId, why: 'it is not over and can still be resumed' },
    ]);
  });

  it('takes runs of any age where none is said', () => {
    const runs = [candidate(2), candidate(1)];
    expect(planPrune(runs, { before: null, toBytes: 5 }).removable).toEqual(runs.toReversed());
  });
});
