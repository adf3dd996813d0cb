// Medians over the runs that had the machine to themselves, if there are three of them; else over all, and it says so.
import { median } from '../../support/statistics.ts';

interface Loaded {
  readonly otherCores: number | null;
}

const quietCores = 0.5;
const fewest = 3;

export function summarize<Row extends Loaded>(
  rows: readonly Row[],
  figures: Readonly<Record<string, (row: Row) => number>>,
): object {
  const quiet = rows.filter(({ otherCores }) => otherCores !== null && otherCores < quietCores);
  const counted = quiet.length >= fewest ? quiet : rows;
  const medians = Object.entries(figures).flatMap(([name, read]) => {
    const values = counted.map(read).filter((value) => !Number.isNaN(value));
    if (values.length === 0) return [];
    return [[name, { median: median(values), from: Math.min(...values), to: Math.max(...values) }]];
  });
  return { runs: counted.length, of: rows.length, quiet: quiet.length, ...Object.fromEntries(medians) };
}
