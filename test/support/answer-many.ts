// One run that asks a hundred questions at once, answered by another process in random order, while either process is killed
// at random moments. What is counted is what must never be: an approval that started two acts, a start without an approval, an
// answer that was confirmed and is lost, a file that says something else than what was answered.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JournalEvent, RunId } from '../../src/engine/index.ts';
import { createRandom } from './create-random.ts';
import { openScenario, type Scenario } from './open-scenario.ts';
import { cleanEnvironment, type RunningCli, startCli } from './run-cli.ts';

export interface ManyAnswered {
  readonly answered: number;
  readonly approved: number;
  readonly kills: number;
  readonly lapsed: number;
  /** Each of these has to be 0. */
  readonly startedTwice: number;
  readonly startedUnasked: number;
  readonly lost: number;
  readonly wrongFiles: number;
  /** Places at which its journal says something else than follows, of which a replay tells the first. */
  readonly divergences: number;
}

export interface AnswerManyOptions {
  readonly seed: number;
  readonly questions: number;
  /** How often one of the two processes is killed. */
  readonly kills: number;
}

export async function answerMany({ seed, questions, kills }: AnswerManyOptions): Promise<ManyAnswered> {
  const random = createRandom(seed);
  const paths = Array.from({ length: questions }, (_, place) => `file-${place}.txt`);
  const calls = paths.map((path) => ({ tool: 'write_file', arguments: { path, content: path } }));
  await using scenario = await openScenario(({ position }) => (position === 0 ? { calls } : { text: 'Done.' }));
  const confirmed: string[] = [];
  let driver = startDriver(scenario, null);
  let decider = startDecider(scenario, random, confirmed);
  // Whatever goes wrong below, neither of them is left waiting for answers that nobody gives.
  await using _processes = {
    async [Symbol.asyncDispose]() {
      await stop(decider);
      await driver[Symbol.asyncDispose]();
    },
  };
  const runId = await findRun(scenario, driver);
  for (let kill = 0; kill < kills; kill++) {
    await Promise.race([delay(100 + random() * 900), driver.end]);
    if (random() < 0.5) {
      driver.kill('SIGKILL');
      await driver.end;
      driver = startDriver(scenario, runId);
    } else {
      await stop(decider);
      decider = startDecider(scenario, random, confirmed);
    }
  }
  while (!(await isOver(scenario, runId))) {
    await driver.end;
    if (!(await isOver(scenario, runId))) driver = startDriver(scenario, runId);
  }
  const { divergence } = await scenario.engine.replayRun(runId);
  const counted = count(scenario, await scenario.engine.readEvents(runId), { confirmed, kills });
  return { ...counted, divergences: divergence === null ? 0 : 1 };
}

function startDriver({ home, environment, contract }: Scenario, runId: RunId | null): RunningCli {
  const options = ['--json', '--approve', 'ask', '--home', home];
  if (runId !== null) return startCli(['resume', runId, ...options], { environment });
  return startCli(['run', '--contract', '-', ...options], { environment, input: JSON.stringify(contract()) });
}

function startDecider({ home }: Scenario, random: () => number, confirmed: string[]): ChildProcess {
  const script = join(import.meta.dirname, '../fixtures/decider.ts');
  const child = spawn(process.execPath, [script, home, String(Math.floor(random() * 1e9))], {
    env: cleanEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    confirmed.push(...lines);
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

/** A killed driver may not have got as far as having a run; the first one is let come that far. */
async function findRun({ engine }: Scenario, driver: RunningCli): Promise<RunId> {
  await driver.untilLine((line) => line.includes('"approval-request"'));
  const [run] = await engine.listRuns();
  if (run === undefined) throw new Error('There is no run');
  return run.runId;
}

const isOver = async ({ engine }: Scenario, runId: RunId): Promise<boolean> =>
  (await engine.readRun(runId)).outcome?.kind === 'finished';

function count(
  { workspace }: Scenario,
  events: readonly JournalEvent[],
  { confirmed, kills }: { readonly confirmed: readonly string[]; readonly kills: number },
): Omit<ManyAnswered, 'divergences'> {
  const decisions = events.flatMap((event) => (event.type === 'approval-decision' ? [event] : []));
  const answers = new Map(decisions.map(({ request, decision }) => [request, decision]));
  const starts = events.flatMap((event) => (event.type === 'call-start' ? [event] : []));
  const consumed = starts.flatMap(({ approval }) => (approval === undefined ? [] : [approval]));
  const finishes = events.flatMap((event) => (event.type === 'call-finish' ? [event] : []));
  return {
    answered: answers.size,
    approved: decisions.filter(({ decision }) => decision === 'approve').length,
    kills,
    lapsed: events.filter(({ type }) => type === 'approval-lapse').length,
    startedTwice: consumed.length - new Set(consumed).size,
    startedUnasked: starts.filter(({ approval }) => approval === undefined || answers.get(approval) !== 'approve')
      .length,
    lost: confirmed.filter((line) => answers.get(line.split(' ')[0] ?? '') !== line.split(' ')[1]).length,
    wrongFiles: finishes.filter(({ target, status }) => existsSync(join(workspace, target)) !== (status === 'ok'))
      .length,
  };
}
