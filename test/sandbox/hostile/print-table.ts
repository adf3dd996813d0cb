// Runs every hostile program under every backend and prints, in Markdown, what came of it. With `--write` the table is kept
// in docs/sandbox.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bombExpectations, type Enclosure, probeExpectations } from '../expectations.ts';
import { findReached } from './compare.ts';
import type { HostileReport } from './report.ts';
import { acceptanceCases } from './requirements.ts';
import { runRound } from './run-rounds.ts';

type Column = { readonly title: string; readonly report: HostileReport };

const plainly = [
  { title: 'none at all, user', report: await runRound('plainly', 'user') },
  { title: 'none at all, root', report: await runRound('plainly', 'superuser') },
];
const enclosed: Column[] = [];
for (const backend of ['bwrap', 'landlock', 'none'] as const) {
  for (const engine of ['user', 'superuser'] as const) enclosed.push(await toColumn({ backend, engine }));
}

const text = [
  toTable('A command tries to', [...enclosed, ...plainly], Object.entries(probeExpectations), describeProbe),
  toTable('A command is, or does', enclosed, Object.entries(bombExpectations), describeBomb),
].join('\n\n');
process.stdout.write(`${text}\n`);
if (process.argv.includes('--write')) keep(text);

async function toColumn({ backend, engine }: Enclosure): Promise<Column> {
  const title = `\`${backend}\`, ${engine === 'user' ? 'user' : 'root'}`;
  return { title, report: await runRound(backend, engine) };
}

function toTable(
  what: string,
  columns: readonly Column[],
  rows: readonly (readonly [string, { readonly title: string }])[],
  describe: (name: string, report: HostileReport) => string,
): string {
  const toCells = (name: string) => columns.map(({ report }) => describe(name, report));
  const lines = rows.map(([name, { title }]) => [findCases(name), title, ...toCells(name)]);
  const head = ['Case', what, ...columns.map(({ title }) => title)];
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, rule, ...lines].map(toLine).join('\n');
}

/** The numbers of the cases that it belongs to. */
function findCases(program: string): string {
  return acceptanceCases.flatMap(({ number, programs }) => (programs.includes(program) ? number : [])).join(', ');
}

/** Where it got through, and in which modes if not in all that were tried. */
function describeProbe(name: string, report: HostileReport): string {
  if (report.kind === 'skipped') return 'not run';
  const reached = Object.entries(findReached(report)).filter(([, names]) => names !== null);
  const through = reached.filter(([, names]) => names?.includes(name)).map(([mode]) => mode);
  if (through.length === 0) return 'no';
  return through.length === reached.length ? '**yes**' : `**yes** (${through.join(', ')})`;
}

function describeBomb(name: string, report: HostileReport): string {
  return report.kind === 'skipped' ? 'not run' : (report.bombs[name]?.end ?? 'not run');
}

function keep(table: string): void {
  const file = join(import.meta.dirname, '../../../docs/sandbox.md');
  const [begin, end] = ['<!-- hostile: begin -->', '<!-- hostile: end -->'];
  const before = readFileSync(file, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has lost its markers ${begin} and ${end}`);
  writeFileSync(file, `${before.slice(0, from + begin.length)}\n\n${table}\n\n${before.slice(to)}`);
}
