// `node kill.ts NAME… [--trials N] [--steps N] [--seed N]`: SIGKILL at a random moment of a random step, then resume. Each step
// appends its number to a file, and the file says in the end which effects were done twice or never.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openScratch } from '../support/scratch.ts';
import { createRandom } from './kill/create-random.ts';
import { findSubject, type Subject, subjectNames } from './kill/subject.ts';
import { toSummary } from './kill/to-summary.ts';
import { runTrial, type TrialRow } from './kill/trial.ts';
import { fail, parseCount } from './support/choose.ts';
import { toWord } from './support/place.ts';
import { printRow } from './support/print-row.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string', default: '20' },
    steps: { type: 'string', default: '20' },
    seed: { type: 'string', default: '7' },
  },
});
const trials = parseCount(values.trials, 'trials');
const steps = parseCount(values.steps, 'steps');
if (steps < 4) fail('--steps takes at least 4: neither the first nor the last step is killed.');
if (positionals.length === 0) fail(`Say which: ${subjectNames.join(', ')}.`);

using scratch = openScratch();
for (const name of positionals) await killAgain(findSubject(name));

async function killAgain(subject: Subject): Promise<void> {
  const base = join(scratch.path, toWord(subject.name));
  const random = createRandom(parseCount(values.seed, 'seed'));
  const rows: TrialRow[] = [];
  for (let trial = 1; trial <= trials; trial++) {
    // Both are drawn here, so a seed gives the same kills whatever the trials before came to.
    const kill = { step: 1 + Math.floor(random() * (steps - 2)), share: random() };
    const row = await runTrial(subject, { base, trial, steps, kill });
    printRow('TRIAL', row);
    rows.push(row);
    if (rows.length === 3 && rows.every(({ resumedAt }) => resumedAt === null)) break;
  }
  printRow('SUMMARY', toSummary(subject.name, rows));
}
