// Which runs a pruning takes out: pure. Only what is over may go, the oldest first.
import type { RunId } from '../../../shared/id.ts';
import type { KeptRun } from './store-report.ts';

export interface PruneCandidate {
  readonly runId: RunId;
  /** When its last event was written. */
  readonly lastAt: number;
  /** What would be freed if it went alone. */
  readonly bytes: number;
  readonly isOver: boolean;
  readonly isOwned: boolean;
}

export interface PruneLimits {
  /** Runs whose last event is older than this may go; null: of any age. */
  readonly before: number | null;
  /** Down to this size; null: all that may go does. */
  readonly toBytes: number | null;
}

export interface PrunePlan {
  /** Oldest first. With a size to reach, only as many of them as it takes. */
  readonly removable: readonly PruneCandidate[];
  readonly kept: readonly KeptRun[];
}

export function planPrune(candidates: readonly PruneCandidate[], { before }: PruneLimits): PrunePlan {
  const reasons = candidates.map((candidate) => ({ candidate, why: findReasonToKeep(candidate, before) }));
  return {
    removable: reasons
      .flatMap(({ candidate, why }) => (why === null ? [candidate] : []))
      .toSorted((left, right) => left.lastAt - right.lastAt),
    kept: reasons.flatMap(({ candidate: { runId }, why }) => (why === null ? [] : [{ runId, why }])),
  };
}

function findReasonToKeep({ isOver, isOwned, lastAt }: PruneCandidate, before: number | null): string | null {
  if (isOwned) return 'it is being driven';
  if (!isOver) return 'it is not over and can still be resumed';
  if (before !== null && lastAt >= before) return 'it is not old enough';
  return null;
}
