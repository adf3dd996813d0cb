// Longer torture than the tests have time for: rounds with other seeds, each of which has to come out with nothing but zeros.
// `npm run torture [ROUNDS] [--write]` prints the table and, with `--write`, keeps it in `docs/torture.md`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerMany, type ManyAnswered } from '../test/support/answer-many.ts';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 50);
const questions = 100;
const kills = 6;

const counted: ManyAnswered[] = [];
for (let seed = 1; seed <= rounds; seed++) {
  counted.push(await answerMany({ seed, questions, kills }));
  process.stderr.write(`round ${seed} of ${rounds}: ${JSON.stringify(counted.at(-1))}\n`);
}

const sum = (name: keyof ManyAnswered): number => counted.reduce((total, round) => total + round[name], 0);
const table = [
  '| Counted | Over all rounds |',
  '| --- | --- |',
  `| Rounds, each with ${questions} questions at once and ${kills} kills | ${rounds} |`,
  `| Processes killed with SIGKILL (driver or answerer) | ${sum('kills')} |`,
  `| Answers in the journal | ${sum('answered')} |`,
  `| of these approvals | ${sum('approved')} |`,
  `| Approvals that lapsed, and were asked for again | ${sum('lapsed')} |`,
  `| **Approvals that started two acts** | ${sum('startedTwice')} |`,
  `| **Acts started without an approval** | ${sum('startedUnasked')} |`,
  `| **Confirmed answers that were lost** | ${sum('lost')} |`,
  `| **Files that say something else than the answers** | ${sum('wrongFiles')} |`,
].join('\n');
process.stdout.write(`${table}\n`);
if (values.write) keep(table);
process.exitCode = sum('startedTwice') + sum('startedUnasked') + sum('lost') + sum('wrongFiles') === 0 ? 0 : 1;

function keep(text: string): void {
  const file = join(import.meta.dirname, '../docs/torture.md');
  const [begin, end] = ['<!-- approvals: begin -->', '<!-- approvals: end -->'];
  const before = readFileSync(file, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has lost its markers ${begin} and ${end}`);
  writeFileSync(file, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}
