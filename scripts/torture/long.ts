// One long run without anybody there: the provider is out again and again, and every few hundred steps the engine is ended and
// another one goes on. What it holds in memory must not grow with the steps that lie behind it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { type LegOrder, LegReport } from './long-leg.ts';
import type { TortureRow } from './torture.ts';

const steps = Number(process.env.IO_STUDIO_LONG_STEPS ?? 10_000);
const early = 500;
const restartEvery = 300;
const growthLimit = 1.3;

interface LongRun {
  readonly steps: number;
  readonly restarts: number;
  readonly outages: number;
  readonly earlyBytes: number;
  readonly lateBytes: number;
  readonly answeredTwice: number;
  readonly isFinished: boolean;
}

export async function tortureLong(rounds: number): Promise<readonly TortureRow[]> {
  const runs: LongRun[] = [];
  for (let round = 1; round <= rounds; round++) {
    runs.push(await runLong());
    process.stderr.write(`long, round ${round} of ${rounds}: ${JSON.stringify(runs.at(-1))}\n`);
  }
  const sum = (pick: (run: LongRun) => number): number => runs.reduce((total, run) => total + pick(run), 0);
  const toMiB = (bytes: number): number => Math.round(bytes / 1024 ** 2);
  const most = (pick: (run: LongRun) => number): number => Math.max(...runs.map(pick));
  const row = (counted: string, count: number): TortureRow => ({ counted, count, isFault: false });
  const fault = (counted: string, count: number): TortureRow => ({ counted, count, isFault: true });
  return [
    row(
      'Steps',
      sum((run) => run.steps),
    ),
    row(
      'Engines that were ended and followed by another one',
      sum((run) => run.restarts),
    ),
    row(
      'Outages of the provider',
      sum((run) => run.outages),
    ),
    row(`MiB in memory after ${early} steps, at most`, toMiB(most((run) => run.earlyBytes))),
    row('MiB in memory at the end, at most', toMiB(most((run) => run.lateBytes))),
    fault(
      `Runs that held more than ${growthLimit} times as much at the end`,
      sum((run) => (run.lateBytes > growthLimit * run.earlyBytes ? 1 : 0)),
    ),
    fault(
      'Steps that were answered and paid twice',
      sum((run) => run.answeredTwice),
    ),
    fault(
      'Runs that did not come to their end',
      sum((run) => (run.isFinished ? 0 : 1)),
    ),
  ];
}

async function runLong(): Promise<LongRun> {
  using place = createTemporaryDirectory();
  const [workspace, home] = [place.make('workspace'), place.make('home')];
  for (let file = 0; file < 50; file++) place.write(`workspace/${file}.txt`, `File ${file}.\n`.repeat(40));
  await using model = await startModel();
  const legs: LegReport[] = [];
  for (;;) {
    const runId = legs.at(-1)?.runId ?? null;
    const leg = await goALeg({ home, workspace, url: model.url, runId, steps: restartEvery, lookAt: early });
    legs.push(leg);
    if (leg.outcome !== 'interrupted') return toLongRun(legs, leg);
  }
}

function toLongRun(legs: readonly LegReport[], last: LegReport): LongRun {
  const sum = (name: 'steps' | 'outages' | 'answeredTwice'): number =>
    legs.reduce((total, leg) => total + leg[name], 0);
  return {
    steps: sum('steps'),
    restarts: legs.length - 1,
    outages: sum('outages'),
    answeredTwice: sum('answeredTwice'),
    earlyBytes: legs.find(({ lookedBytes }) => lookedBytes !== null)?.lookedBytes ?? 0,
    lateBytes: last.endBytes,
    isFinished: last.outcome === 'finished' && sum('steps') === steps,
  };
}

/** Every engine is a process of its own, as after a crash. */
async function goALeg(order: LegOrder): Promise<LegReport> {
  const program = join(import.meta.dirname, 'long-leg.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [report] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return LegReport.parse(JSON.parse(report));
}

async function startModel(): Promise<AsyncDisposable & { readonly url: string }> {
  const program = join(import.meta.dirname, 'long-model.ts');
  const child = spawn(process.execPath, [program, String(steps)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
