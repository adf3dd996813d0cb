// The result of a benchmark as a Markdown table, which also reads well in a terminal: columns are padded.
import { type Figure, formatValue } from './figure.ts';

/** A measure that was taken. */
export interface Taken {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
  /** Cores that other processes kept busy meanwhile; null where the system does not tell. */
  readonly otherCores: number | null;
}

export function toTable(taken: readonly Taken[]): string {
  const rows = taken.flatMap(({ title, figures, otherCores }) => [
    [`**${title}**`, '', '', '', formatCores(otherCores)],
    ...figures.map((figure) => [
      figure.label,
      figure.target ?? '',
      formatFloor(figure),
      formatOurs(figure),
      toVerdict(figure),
    ]),
  ]);
  const header = ['Figure', 'Target', 'Floor', 'Ours', 'Verdict'];
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0), title.length),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const formatFloor = ({ floor, unit }: Figure): string => (floor === null ? '' : formatValue(floor, unit));

function formatOurs({ floor, ours, unit }: Figure): string {
  const value = formatValue(ours, unit);
  return floor === null ? value : `${value} (${formatValue(ours / floor, 'ratio')})`;
}

function toVerdict({ isMet }: Figure): string {
  if (isMet === null) return '';
  return isMet ? 'met' : 'MISSED';
}

const formatCores = (cores: number | null): string =>
  cores === null ? 'other load unknown' : `${cores.toFixed(2)} cores busy with other work`;
