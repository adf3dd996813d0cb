// `node cli.ts [NAME…] [--runs N] [--steps N]`: what agents cost that are started from the command line. The first run of each
// has a new home and is told apart; the others find that home, and begin a new session each. They take turns.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markLoad, readOtherCores } from '../support/read-load.ts';
import { openScratch } from '../support/scratch.ts';
import type { CommandLine } from './command-line/command-line.ts';
import { commandLines, isInstalled, readVersion, toProgram } from './command-line/command-lines.ts';
import { authorize, toLaunch } from './command-line/to-launch.ts';
import type { AnsweredRequest } from './model/server-settings.ts';
import { choose, parseCount } from './support/choose.ts';
import { createPlace, toWord, toWorkspace } from './support/place.ts';
import { printRow } from './support/print-row.ts';
import { type Ended, runMarked } from './support/run-marked.ts';
import { startModel } from './support/start-model.ts';
import { type StepTimes, toStepTimes } from './support/step-times.ts';
import { summarize } from './support/summarize.ts';
import { waitForQuiet } from './support/wait-for-quiet.ts';

const limitMs = 180_000;
const sampleMs = 100;

interface Row {
  readonly name: string;
  readonly version: string;
  readonly run: number;
  readonly code: number | null;
  /** Steps that were answered, requests for anything else, and files that were written. */
  readonly steps: number;
  readonly auxiliary: number;
  readonly files: number;
  readonly coldStartS: number;
  readonly step: StepTimes | null;
  readonly exitMs: number;
  readonly wallS: number;
  readonly peakMiB: number;
  readonly cpuS: number;
  readonly requestKiB: readonly [first: number, last: number];
  readonly leftProcesses: number;
  readonly otherCores: number | null;
  /** The end of its output, where it did not do all steps. */
  readonly problem: string | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, steps: { type: 'string', default: '20' } },
});
const [runs, steps] = [parseCount(values.runs, 'runs'), parseCount(values.steps, 'steps')];

using scratch = openScratch();
const rows: Row[] = [];
const chosen = choose({ known: commandLines, names: positionals, isInstalled });
for (let run = 0; run <= runs; run++) {
  for (const [name, commandLine] of chosen) {
    const row = await measure(name, commandLine, run);
    printRow('RUN', row);
    rows.push(row);
  }
}
for (const [name, commandLine] of chosen) printRow('MEDIAN', toMedians(name, commandLine));

async function measure(name: string, commandLine: CommandLine, run: number): Promise<Row> {
  const conversation = `${toWord(name)}r${run}`;
  const base = join(scratch.path, toWord(name));
  const { profile } = commandLine;
  const workspace = toWorkspace(base, conversation);
  await using model = await startModel({ profile, steps, script: 'mix', workspace, latencyMs: 0 });
  const place = createPlace({ base, port: model.port, conversation });
  commandLine.prepare(place);
  if (run === 0) await authorize(commandLine, place, join(base, 'authorize.out'));
  await waitForQuiet();
  const mark = markLoad();
  const launch = toLaunch(commandLine, place, commandLine.start(place));
  const outputFile = join(base, `${conversation}.out`);
  const ended = await runMarked(launch, { mark: conversation, outputFile, limitMs, sampleMs }).ended;
  const otherCores = readOtherCores(mark);
  const requests = await model.stop();
  const files = readdirSync(workspace).filter((file) => file.startsWith(`out-${conversation}-`)).length;
  const version = readVersion(commandLine);
  return {
    name,
    version,
    run,
    files,
    otherCores,
    ...describe(requests, ended),
    step: toStepTimes(requests, conversation),
  };
}

function describe(requests: readonly AnsweredRequest[], ended: Ended) {
  const main = requests.filter(({ kind }) => kind === 'main');
  const [first, last] = [main.at(0), main.at(-1)];
  const done = last?.position ?? 0;
  return {
    code: ended.code,
    steps: done,
    auxiliary: requests.filter(({ kind }) => kind === 'aux').length,
    coldStartS: ((first?.arrivedAt ?? Number.NaN) - ended.startedAt) / 1000,
    exitMs: ended.endedAt - (last?.finishedAt ?? Number.NaN),
    wallS: (ended.endedAt - ended.startedAt) / 1000,
    peakMiB: ended.peakTreeMiB,
    cpuS: ended.cpuSeconds,
    requestKiB: [toKiB(first), toKiB(last)] as const,
    leftProcesses: ended.leftProcesses,
    problem: done === steps ? null : `${ended.isTimedOut ? 'It took too long. ' : ''}${ended.output.slice(-600)}`,
  };
}

function toKiB(request: AnsweredRequest | undefined): number {
  return (request?.requestBytes ?? Number.NaN) / 1024;
}

function toMedians(name: string, commandLine: CommandLine): object {
  const [first, ...warm] = rows.filter((row) => row.name === name);
  const whole = warm.filter((row) => row.steps === steps);
  return {
    name,
    version: readVersion(commandLine),
    program: toProgram(commandLine),
    failed: warm.length - whole.length,
    firstColdStartS: first?.coldStartS,
    ...summarize(whole, {
      coldStartS: ({ coldStartS }) => coldStartS,
      stepMs: ({ step }) => step?.medianMs ?? Number.NaN,
      stepP90Ms: ({ step }) => step?.p90Ms ?? Number.NaN,
      readMs: ({ step }) => step?.byKindMs.read ?? Number.NaN,
      writeMs: ({ step }) => step?.byKindMs.write ?? Number.NaN,
      runMs: ({ step }) => step?.byKindMs.run ?? Number.NaN,
      exitMs: ({ exitMs }) => exitMs,
      wallS: ({ wallS }) => wallS,
      peakMiB: ({ peakMiB }) => peakMiB,
      cpuS: ({ cpuS }) => cpuS,
    }),
  };
}
