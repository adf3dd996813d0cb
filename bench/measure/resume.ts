// How soon a long run goes on: from the start of the command line to the first request that reaches the model.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../../src/engine/index.ts';
import { atMost, type Measure } from '../support/figure.ts';
import { toWorkingTask } from '../support/model-script.ts';
import { startModelServer } from '../support/model-server.ts';
import { nowMs } from '../support/now-ms.ts';
import { openScratch } from '../support/scratch.ts';
import { startNode, toEnd } from '../support/start-node.ts';
import { median } from '../support/statistics.ts';

const steps = 5000;
const rounds = 5;

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
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timeResume(model, { home, runId, environment }));
    return [atMost(1, { label: 'to its first request', unit: 's', ours: median(times) / 1000 })];
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

/** Ended again as soon as its request is there: the next round finds the same run. */
async function timeResume(
  model: Awaited<ReturnType<typeof startModelServer>>,
  { home, runId, environment }: Place & { readonly runId: string },
): Promise<number> {
  Object.assign(process.env, environment);
  const startedAt = nowMs();
  const { requests } = await model.recordRequests(async () => {
    const entry = join(import.meta.dirname, '../../src/cli/index.ts');
    const child = startNode(entry, ['resume', runId, '--json', '--home', home], { stdout: 'pipe' });
    child.stdout?.once('data', () => child.kill('SIGTERM')).resume();
    await toEnd(child).catch(() => undefined); // It says that it was interrupted.
  });
  const [first] = requests;
  if (first === undefined) throw new Error('The run asked for nothing');
  return first.arrivedAt - startedAt;
}
