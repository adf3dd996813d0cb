// Order statistics: on a shared machine a mean tells more about the neighbours than about what is measured.

/** The middle value, or the mean of the two middle ones. Throws for an empty list: a figure of nothing is a mistake. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('The median of no values was asked for');
  return (lower + upper) / 2;
}

/** The value that `share` of all are below. Throws for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError('The percentile of no values was asked for');
  return value;
}
