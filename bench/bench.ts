// `npm run bench [NAME…] [--json] [--write]`: takes the measures and prints every figure beside its target and its floor.
// Figures are what this machine gave in this minute; the floor of the same run is what makes them comparable.
import { parseArgs } from 'node:util';
import { commandLine } from './measure/command-line.ts';
import { commandLineReader } from './measure/command-line-reader.ts';
import { fanout } from './measure/fanout.ts';
import { longJournal } from './measure/long-journal.ts';
import { longRun } from './measure/long-run.ts';
import { policyVerdict } from './measure/policy-verdict.ts';
import { resume } from './measure/resume.ts';
import { sandboxCrowd } from './measure/sandbox-crowd.ts';
import { sandboxEnd } from './measure/sandbox-end.ts';
import { sandboxMemory } from './measure/sandbox-memory.ts';
import { sandboxStart } from './measure/sandbox-start.ts';
import { sandboxStep } from './measure/sandbox-step.ts';
import { sandboxToolchain } from './measure/sandbox-toolchain.ts';
import { sandboxWatch } from './measure/sandbox-watch.ts';
import { stepTime } from './measure/step-time.ts';
import { storedBytes } from './measure/stored-bytes.ts';
import { describeMachine } from './support/describe-machine.ts';
import type { Measure } from './support/figure.ts';
import { markLoad, readOtherCores } from './support/read-load.ts';
import { type Taken, toTable } from './support/to-table.ts';
import { writeReport } from './support/write-report.ts';

const measures: readonly Measure[] = [
  stepTime,
  longRun,
  storedBytes,
  commandLine,
  longJournal,
  resume,
  fanout,
  policyVerdict,
  commandLineReader,
  sandboxStart,
  sandboxStep,
  sandboxWatch,
  sandboxEnd,
  sandboxMemory,
  sandboxCrowd,
  sandboxToolchain,
];

/** `sandbox` chooses all whose names begin with it and a dash. */
const isMeant = (name: string, word: string): boolean => name === word || name.startsWith(`${word}-`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((word) => !measures.some(({ name }) => isMeant(name, word)));
if (unknown.length > 0)
  fail(`There is no measure ${unknown.join(', ')}; there are ${measures.map(({ name }) => name).join(', ')}.`);
if (values.write && positionals.length > 0) fail('--write takes the whole benchmark, not single measures.');

const chosen = measures.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => isMeant(name, word)),
);
const machine = describeMachine();
const startedAt = new Date();
const taken: Taken[] = [];
for (const measure of chosen) taken.push(await take(measure));

if (values.json)
  process.stdout.write(`${JSON.stringify({ at: startedAt.toISOString(), machine, measures: taken }, null, 2)}\n`);
else process.stdout.write(`${machine}\n\n${toTable(taken)}\n`);
if (values.write) writeReport(`Taken on ${startedAt.toISOString().slice(0, 10)} on ${machine}.\n\n${toTable(taken)}`);

async function take({ name, title, run }: Measure): Promise<Taken> {
  process.stderr.write(`${title} …\n`);
  const mark = markLoad();
  const figures = await run();
  return { name, title, figures, otherCores: readOtherCores(mark) };
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
