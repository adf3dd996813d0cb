// Longer torture than the tests have time for: rounds with other seeds, each of which has to come out with nothing but zeros.
// `npm run torture -- [PART…] [--rounds N] [--write]` prints a table for each part and, with `--write`, keeps it in
// `docs/torture.md`. Without a PART, all of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tortureAgents } from './torture/agents.ts';
import { tortureApprovals } from './torture/approvals.ts';
import { tortureCrashes } from './torture/crashes.ts';
import { tortureLong } from './torture/long.ts';
import { tortureProperties } from './torture/properties.ts';
import type { Torture } from './torture/torture.ts';

const parts = new Map<string, Torture>([
  ['agents', tortureAgents],
  ['approvals', tortureApprovals],
  ['crashes', tortureCrashes],
  ['long', tortureLong],
  ['properties', tortureProperties],
]);

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds is no number of rounds: ${values.rounds}`);

for (const name of positionals.length > 0 ? positionals : parts.keys()) {
  const torture = parts.get(name);
  if (torture === undefined) throw new Error(`There is no part ${name}: there are ${[...parts.keys()].join(', ')}`);
  const rows = await torture(rounds);
  const table = toTable(rows);
  process.stdout.write(`${table}\n`);
  if (values.write) keep(name, table);
  if (rows.some(({ count, isFault }) => isFault && count > 0)) process.exitCode = 1;
}

function toTable(rows: Awaited<ReturnType<Torture>>): string {
  const lines = rows.map(({ counted, count, isFault }) => `| ${isFault ? `**${counted}**` : counted} | ${count} |`);
  return ['| Counted | Over all rounds |', '| --- | --- |', ...lines].join('\n');
}

function keep(name: string, table: string): void {
  const file = join(import.meta.dirname, '../docs/torture.md');
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const before = readFileSync(file, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has lost its markers ${begin} and ${end}`);
  writeFileSync(file, `${before.slice(0, from + begin.length)}\n\n${table}\n\n${before.slice(to)}`);
}
