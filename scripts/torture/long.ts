// One long run without anybody there: the provider is out again and again, and every few hundred steps the engine is ended and
// another one goes on. What it holds in memory must not grow with the steps that lie behind it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createEngine, type RunHandle, type RunId } from '../../src/engine/index.ts';
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts';
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
  const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'scripted' };
  const counted = { steps: 0, restarts: 0, outages: 0, earlyBytes: 0, answeredTwice: 0 };
  const contract = { goal: 'Read on.', workspace, budgets: { steps: null } };
  const settings = { approve: 'all' } as const;
  let runId: RunId | null = null;
  for (;;) {
    const engine = createEngine({ home, environment });
    const handle: RunHandle =
      runId === null
        ? await engine.startRun({ contract, ...settings })
        : await engine.resumeRun(runId, { ...settings });
    runId = handle.runId;
    await follow(handle, counted);
    const { outcome } = await handle.result;
    await engine.close();
    if (outcome.kind !== 'interrupted') {
      const isFinished = outcome.kind === 'finished' && counted.steps === steps;
      return { ...counted, lateBytes: process.memoryUsage.rss(), isFinished };
    }
    counted.restarts += 1;
  }
}

/** Ends the engine after so many steps. */
async function follow(handle: RunHandle, counted: { -readonly [Name in keyof Counted]: Counted[Name] }): Promise<void> {
  const answered = new Set<number>();
  let here = 0;
  for await (const events of handle.events()) {
    for (const { type, step } of events) {
      if (type === 'model-fail') counted.outages += 1;
      if (type === 'model-finish' && answered.has(step)) counted.answeredTwice += 1;
      if (type === 'model-finish') answered.add(step);
      if (type !== 'step-finish') continue;
      counted.steps += 1;
      here += 1;
      if (counted.steps === early) counted.earlyBytes = process.memoryUsage.rss();
      if (here === restartEvery) handle.interrupt('SIGTERM');
    }
  }
}

type Counted = Pick<LongRun, 'steps' | 'outages' | 'earlyBytes' | 'answeredTwice'>;

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
