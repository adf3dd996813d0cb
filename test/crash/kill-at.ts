// The command line, killed with SIGKILL at a named point and gone on with, against a run that nobody touched.
import { isDeepStrictEqual } from 'node:util';
import { type CrashPoint, observeCrashPoints } from '../../src/engine/journal/crash-point.ts';
import { agentOf } from '../../src/shared/find-in-run.ts';
import { rootAgentId } from '../../src/shared/id.ts';
import { startCli } from '../support/run-cli.ts';
import { attend, crashContract, describeEnd, openCrashScene } from './crash-scene.ts';

export interface Untouched {
  readonly end: ReturnType<typeof describeEnd>;
  /** How often the run passes each point. */
  readonly passed: ReadonlyMap<CrashPoint, number>;
}

export interface KilledRun {
  /** `early`: before the run was in the journal. `not`: it came to its end. */
  readonly killed: 'in-the-run' | 'early' | 'not';
  readonly asked: number;
  /** Everything below has to be 0. */
  readonly wrongEnds: number;
  readonly paidTwice: number;
  readonly fetchedTwice: number;
  readonly unlistedCharges: number;
}

export async function runUntouched(): Promise<Untouched> {
  await using scene = await openCrashScene({ asks: false });
  const passed = new Map<CrashPoint, number>();
  const count = (point: CrashPoint) => passed.set(point, (passed.get(point) ?? 0) + 1);
  using _observed = observeCrashPoints(count);
  const { engine } = scene.scenario;
  const driven = await attend(engine, await scene.scenario.start(crashContract, { approve: 'ask' }));
  // The journal's thread passes its own two as often as this one records, and once for the run itself.
  const commits = (passed.get('before-record') ?? 0) + 1;
  for (const point of ['before-commit', 'after-commit'] as const) passed.set(point, commits);
  return { end: describeEnd(scene.scenario, driven), passed };
}

export async function killAt({ end }: Untouched, point: CrashPoint, nth: number): Promise<KilledRun> {
  await using scene = await openCrashScene({ asks: false });
  const { scenario } = scene;
  const none = { asked: 0, wrongEnds: 0, paidTwice: 0, fetchedTwice: 0, unlistedCharges: 0 };
  await using cli = startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', scenario.home], {
    environment: { ...scenario.environment, IO_STUDIO_CRASH_POINT: `${point}:${nth}` },
    input: JSON.stringify(scenario.contract(crashContract)),
  });
  const { signal } = await cli.end;
  if (signal !== 'SIGKILL') return { ...none, killed: 'not' };
  const [run] = await scenario.engine.listRuns();
  if (run === undefined) return { ...none, killed: 'early' };
  const sentBefore = scenario.server.requests.length;
  const before = await scenario.engine.readRun(run.runId);
  const answered = agentOf(before, { agentId: rootAgentId }).context.filter(({ role }) => role === 'assistant').length;
  const handle = await scenario.engine.resumeRun(run.runId, { approve: 'ask' });
  const driven = await attend(scenario.engine, handle);
  const { ledger } = before;
  const lost = before.outcome === null ? ledger.outstanding.requests : 0;
  return {
    killed: 'in-the-run',
    asked: driven.recovered.length,
    wrongEnds: isDeepStrictEqual(describeEnd(scenario, driven), end) ? 0 : 1,
    paidTwice: scenario.server.requests.slice(sentBefore).filter(({ position }) => position < answered).length,
    fetchedTwice: Math.max(0, scene.countFetches() - 1),
    unlistedCharges: driven.result.usage.unknown.requests === ledger.unknown.requests + lost ? 0 : 1,
  };
}
