// How soon a long run goes on: from the start of the built command line to the first request that reaches the model. The floor
// reads the bare rows of the same journal, parses each, and asks once.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createEngine } from '../../src/engine/index.ts';
import { toDatabaseFile } from '../../src/engine/journal/store-file.ts';
import { atMost, type Measure } from '../support/figure.ts';
import { toWorkingTask } from '../support/model-script.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { nowMs } from '../support/now-ms.ts';
import { openScratch } from '../support/scratch.ts';
import { startNode, toEnd } from '../support/start-node.ts';
import { median } from '../support/statistics.ts';

const launcher = join(import.meta.dirname, '../../bin/io-studio');
const steps = 5000;
const rounds = 9;

export const resume: Measure = {
  name: 'resume',
  title: `Going on with a run of ${steps.toLocaleString('en-US')} steps`,
  async run() {
    using scratch = openScratch();
    await using model = await startModelServer();
    const home = join(scratch.path, 'home');
    mkdirSync(home);
    const environment = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'scripted' };
    const contract = {
      goal: toWorkingTask(2 * steps),
      workspace: scratch.createWorkspace('work'),
      budgets: { steps: null },
    };
    const runId = await work({ home, environment, contract });
    await timeOurs(model, { home, runId, environment }); // Fills the compile cache of Node.
    const floor: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < rounds; round++) {
      floor.push(await timeFloor(model, home));
      ours.push(await timeOurs(model, { home, runId, environment }));
    }
    const label = 'start to first request';
    return [atMost(1, { label, unit: 's', floor: median(floor) / 1000, ours: median(ours) / 1000 })];
  },
};

type Contract = Parameters<ReturnType<typeof createEngine>['startRun']>[0]['contract'];

interface Place {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

const contextTokens = 8_000_000;

async function work({ home, environment, contract }: Place & { readonly contract: Contract }): Promise<string> {
  const engine = createEngine({ home, environment });
  try {
    const handle = await engine.startRun({ contract, approve: 'all', contextTokens });
    let done = 0;
    for await (const events of handle.events()) {
      done += events.filter(({ type }) => type === 'step-finish').length;
      if (done >= steps) handle.interrupt('SIGTERM');
    }
    return handle.runId;
  } finally {
    await engine.close();
  }
}

function timeFloor(model: ModelServer, home: string): Promise<number> {
  return timeFirstRequest(model, () => {
    const script = join(import.meta.dirname, '../subject/bare-resume.ts');
    return toEnd(startNode(script, [toDatabaseFile(home), model.url]));
  });
}

function timeOurs(model: ModelServer, { home, runId, environment }: Place & { readonly runId: string }) {
  return timeFirstRequest(model, async () => {
    const env = { PATH: process.env.PATH, ...environment };
    const args = ['resume', runId, '--json', '--home', home];
    const child = spawn(launcher, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    await Promise.all([toEnd(child).catch(() => undefined), stopAfterReply(child)]); // It says that it was interrupted.
  });
}

/** The next round finds a run that is longer by a step. */
async function stopAfterReply(child: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (!child.killed && line.includes('"type":"model-finish"')) child.kill('SIGTERM');
  }
}

async function timeFirstRequest(model: ModelServer, start: () => Promise<void>): Promise<number> {
  const { result: startedAt, requests } = await model.recordRequests(async () => {
    const now = nowMs();
    await start();
    return now;
  });
  const [first] = requests;
  if (first === undefined) throw new Error('The run asked for nothing');
  return first.arrivedAt - startedAt;
}
