// What a measure yields: figures, each beside its target and, where there is one, beside the floor of the same run.

/** `%` is of one core. */
export type Unit = 'µs' | 'ms' | 's' | 'KiB' | 'MiB' | 'ratio' | 'count' | '%';

export interface Figure {
  readonly label: string;
  readonly unit: Unit;
  /** In words; null for a figure that stands there to explain another one. */
  readonly target: string | null;
  readonly floor: number | null;
  readonly ours: number;
  /** Null where there is no target. */
  readonly isMet: boolean | null;
}

export interface Measure {
  /** The word that chooses it on the command line. */
  readonly name: string;
  readonly title: string;
  run(): Promise<readonly Figure[]>;
}

type Value = Pick<Figure, 'label' | 'unit' | 'ours'> & { readonly floor?: number | null };

/** A figure that must be at most `limit`; not a number where it cannot be taken. */
export function atMost(limit: number, { label, unit, ours, floor = null }: Value): Figure {
  const isMet = Number.isNaN(ours) ? null : ours <= limit;
  return { label, unit, target: `at most ${formatValue(limit, unit)}`, floor, ours, isMet };
}

/** A figure that must be at most so many times the floor of the same run. */
export function atMostTimes(times: number, { label, unit, ours, floor }: Value & { readonly floor: number }): Figure {
  const isMet = Number.isNaN(ours) ? null : ours <= times * floor;
  return { label, unit, target: `at most ${formatValue(times, 'ratio')} floor`, floor, ours, isMet };
}

/** A figure without a target. */
export function explain({ label, unit, ours, floor = null }: Value): Figure {
  return { label, unit, target: null, floor, ours, isMet: null };
}

/** A value as the table shows it. */
export function formatValue(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return 'unknown here';
  switch (unit) {
    case 'count':
      return value.toLocaleString('en-US');
    case 'ratio':
      return `${value.toFixed(2)} x`;
    case 'KiB':
    case 'µs':
    case 'ms':
      return `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
    case 'MiB':
      return `${value.toFixed(1)} MiB`;
    case '%':
      return `${value.toFixed(2)} %`;
    case 's':
      return `${value.toFixed(2)} s`;
  }
}
