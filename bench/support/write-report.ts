// Puts a table into `docs/performance.md`, between its two markers; the prose around them stays as it is.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../docs/performance.md');
const [begin, end] = ['<!-- bench: begin -->', '<!-- bench: end -->'];

export function writeReport(report: string): void {
  const before = readFileSync(file, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has lost its markers ${begin} and ${end}`);
  writeFileSync(file, `${before.slice(0, from + begin.length)}\n\n${report}\n\n${before.slice(to)}`);
}
