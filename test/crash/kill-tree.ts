// The command line with many agents at work, killed with SIGKILL again and again and gone on with each time, against a run that
// nobody touched.
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RunId } from '../../src/engine/index.ts';
import type { Scenario } from '../support/open-scenario.ts';
import { startCli } from '../support/run-cli.ts';
import { countTwice, describeTreeEnd, openTreeScene, type TreeSize, treeContract } from './tree-scene.ts';

/** A moment by how many requests have reached the server, and how long after that. */
export interface KillMoment {
  readonly requests: number;
  readonly thenMs: number;
}

export interface UntouchedTree {
  readonly end: ReturnType<typeof describeTreeEnd>;
  readonly requests: number;
}

export interface KilledTree {
  readonly kills: number;
  /** The same outcome, spend, workspace and transcripts as those of the untouched run. */
  readonly isSameEnd: boolean;
  readonly end: UntouchedTree['end'];
  readonly agents: number;
  readonly twice: ReturnType<typeof countTwice>;
}

export async function runTreeUntouched(size: TreeSize): Promise<UntouchedTree> {
  await using scenario = await openTreeScene(size);
  const { result } = await scenario.run(treeContract, { approve: 'all' });
  return { end: describeTreeEnd(scenario, result), requests: scenario.server.requests.length };
}

export async function killTree(
  untouched: UntouchedTree,
  size: TreeSize,
  moments: readonly KillMoment[],
): Promise<KilledTree> {
  await using scenario = await openTreeScene(size);
  let kills = 0;
  for (const { requests, thenMs } of moments) {
    await using cli = await startOrResume(scenario);
    await Promise.race([scenario.server.until((log) => log.length >= requests), cli.end]);
    await delay(thenMs);
    cli.kill('SIGKILL');
    if ((await cli.end).signal === 'SIGKILL') kills += 1;
  }
  const { result } = await bringToEnd(scenario);
  const events = await scenario.engine.readEvents(result.runId);
  const end = describeTreeEnd(scenario, result);
  return {
    kills,
    isSameEnd: isDeepStrictEqual(end, untouched.end),
    end,
    agents: 1 + events.filter(({ type }) => type === 'agent-spawn').length,
    twice: countTwice(scenario, events),
  };
}

async function startOrResume(scenario: Scenario) {
  const { home, environment } = scenario;
  const runId = await findRun(scenario);
  if (runId !== null) return startCli(['resume', runId, '--json', '--home', home], { environment });
  return startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', home], {
    environment,
    input: JSON.stringify(scenario.contract(treeContract)),
  });
}

async function bringToEnd(scenario: Scenario) {
  const runId = await findRun(scenario);
  return runId === null ? scenario.run(treeContract, { approve: 'all' }) : scenario.resume(runId);
}

/** Null where it was killed before it was in the journal. */
async function findRun({ engine }: Scenario): Promise<RunId | null> {
  const [run] = await engine.listRuns();
  return run?.runId ?? null;
}
