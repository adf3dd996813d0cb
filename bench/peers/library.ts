// `node library.ts solo|fan [NAME…] [--runs N] [--agents N]`: what libraries cost. `solo`: one agent of 20 steps. `fan`: 100
// agents of 5 steps each in one process. They take turns; a first round warms the machine up and is not counted.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { markLoad, readOtherCores } from '../support/read-load.ts';
import { measureBytes, openScratch } from '../support/scratch.ts';
import { AgentReport } from './agent.ts';
import type { Library } from './engines/engine.ts';
import { isInstalled, libraries } from './engines/libraries.ts';
import { toLaunch } from './engines/to-launch.ts';
import type { AnsweredRequest } from './model/server-settings.ts';
import { choose, fail, parseCount } from './support/choose.ts';
import { createPlace, toWord, toWorkspace } from './support/place.ts';
import { printRow } from './support/print-row.ts';
import { runMarked } from './support/run-marked.ts';
import { startModel } from './support/start-model.ts';
import { type StepTimes, toStepTimes } from './support/step-times.ts';
import { summarize } from './support/summarize.ts';
import { waitForQuiet } from './support/wait-for-quiet.ts';

const limitMs = 300_000;

interface Row {
  readonly name: string;
  readonly run: number;
  readonly finished: number;
  readonly problem: string | null;
  readonly requests: number;
  readonly coldStartS: number;
  /** From the first request to the last answer. */
  readonly workS: number;
  readonly answersPerS: number;
  /** Null for several agents, whose steps overlap. */
  readonly step: StepTimes | null;
  readonly peakMiB: number;
  readonly cpuS: number;
  readonly storedKiB: number;
  readonly otherCores: number | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, agents: { type: 'string', default: '100' } },
});
const [mode, ...names] = positionals;
if (mode !== 'solo' && mode !== 'fan') fail('Say "solo" or "fan", and which libraries if not all.');
const agents = mode === 'fan' ? parseCount(values.agents, 'agents') : 1;
const steps = mode === 'fan' ? 5 : 20;
const runs = parseCount(values.runs, 'runs');

using scratch = openScratch();
const rows: Row[] = [];
for (let run = 0; run <= runs; run++) {
  for (const [name, library] of choose({ known: libraries, names, isInstalled })) {
    const row = await measure(name, library, run);
    printRow('RUN', row);
    if (run > 0) rows.push(row);
  }
}
for (const name of new Set(rows.map((row) => row.name))) printRow('MEDIAN', toMedians(name));

async function measure(name: string, library: Library, run: number): Promise<Row> {
  const conversation = `${toWord(name)}r${run}`;
  const base = join(scratch.path, toWord(name));
  const workspace = toWorkspace(base, conversation);
  const { profile } = library;
  await using model = await startModel({ profile, steps, script: 'mix', workspace, latencyMs: 0 });
  const place = createPlace({ base, port: model.port, conversation });
  await waitForQuiet();
  const mark = markLoad();
  const launch = toLaunch(library, place, { steps, agents, begin: 'new' });
  const outputFile = join(base, `${conversation}.out`);
  const ended = await runMarked(launch, { mark: conversation, outputFile, limitMs, sampleMs: null }).ended;
  const otherCores = readOtherCores(mark);
  const requests = await model.stop();
  return {
    name,
    run,
    ...readReport(ended.output),
    ...toTimes(requests, conversation, ended.startedAt),
    cpuS: ended.cpuSeconds,
    storedKiB: measureBytes(place.store) / 1024,
    otherCores,
  };
}

function readReport(output: string): z.infer<typeof AgentReport> {
  try {
    return AgentReport.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
  } catch {
    return { finished: 0, peakMiB: Number.NaN, problem: `It ended without a report: ${output.slice(-600)}` };
  }
}

function toTimes(requests: readonly AnsweredRequest[], conversation: string, startedAt: number) {
  const first = Math.min(...requests.map(({ arrivedAt }) => arrivedAt));
  const workS = (Math.max(...requests.map(({ finishedAt }) => finishedAt)) - first) / 1000;
  return {
    requests: requests.length,
    coldStartS: (first - startedAt) / 1000,
    workS,
    answersPerS: requests.length / workS,
    step: agents === 1 ? toStepTimes(requests, conversation) : null,
  };
}

function toMedians(name: string): object {
  const all = rows.filter((row) => row.name === name);
  const whole = all.filter(({ finished }) => finished === agents);
  return {
    name,
    failed: all.length - whole.length,
    ...summarize(whole, {
      coldStartS: ({ coldStartS }) => coldStartS,
      workS: ({ workS }) => workS,
      answersPerS: ({ answersPerS }) => answersPerS,
      stepMs: ({ step }) => step?.medianMs ?? Number.NaN,
      stepP90Ms: ({ step }) => step?.p90Ms ?? Number.NaN,
      readMs: ({ step }) => step?.byKindMs.read ?? Number.NaN,
      writeMs: ({ step }) => step?.byKindMs.write ?? Number.NaN,
      runMs: ({ step }) => step?.byKindMs.run ?? Number.NaN,
      peakMiB: ({ peakMiB }) => peakMiB,
      cpuS: ({ cpuS }) => cpuS,
      storedKiB: ({ storedKiB }) => storedKiB,
    }),
  };
}
