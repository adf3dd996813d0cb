// What a run cost between its requests: from the last byte of an answer to the arrival of the next request.
import { median, percentile } from '../../support/statistics.ts';
import { type StepKind, stepKinds, toStepKind } from '../model/script.ts';
import type { AnsweredRequest } from '../model/server-settings.ts';

export interface StepTimes {
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly byKindMs: Readonly<Record<StepKind, number>>;
}

/** Null for a run without a whole step. */
export function toStepTimes(requests: readonly AnsweredRequest[], conversation: string): StepTimes | null {
  const gaps = toGaps(requests.filter((request) => request.kind === 'main' && request.conversation === conversation));
  const times = gaps.map(({ ms }) => ms);
  if (times.length === 0) return null;
  const ofKind = (kind: StepKind) => toMedian(gaps.filter((gap) => gap.kind === kind).map(({ ms }) => ms));
  const [read, write, run] = stepKinds.map(ofKind);
  const byKindMs = { read: read ?? Number.NaN, write: write ?? Number.NaN, run: run ?? Number.NaN };
  return { medianMs: median(times), p90Ms: percentile(times, 0.9), byKindMs };
}

const toMedian = (values: readonly number[]): number => (values.length === 0 ? Number.NaN : median(values));

function toGaps(requests: readonly AnsweredRequest[]): { kind: StepKind; ms: number }[] {
  const inOrder = requests.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
  return inOrder.flatMap((request, index) => {
    const before = inOrder[index - 1];
    if (before === undefined || request.position !== before.position + 1) return [];
    return [{ kind: toStepKind(before.position), ms: request.arrivedAt - before.finishedAt }];
  });
}
