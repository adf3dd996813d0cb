// Every moment at which a run can be cut off. One run is copied, as a crash would leave it, at each commit and at each border of
// an effect; each copy is gone on with once, and must come to the same end.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/engine/index.ts';
import { type CrashPoint, observeCrashPoints } from '../../src/engine/journal/crash-point.ts';
import { agentOf } from '../../src/shared/find-in-run.ts';
import { foldRun } from '../../src/shared/fold-run.ts';
import { rootAgentId } from '../../src/shared/id.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { type Copy, putBack, takeCopy } from './copies.ts';
import { attend, type CrashScene, crashContract, describeEnd, openCrashScene } from './crash-scene.ts';

interface Moment {
  readonly name: string;
  readonly point: CrashPoint;
  readonly copy: Copy;
  readonly fetches: number;
}

/** Records the run, with a copy of each moment that differs from those before it. */
async function record(scene: CrashScene, directory: string) {
  const { scenario } = scene;
  const moments: Moment[] = [];
  const known = new Set<string>();
  const counts = new Map<CrashPoint, number>();
  const take = (point: CrashPoint) => {
    const nth = (counts.get(point) ?? 0) + 1;
    counts.set(point, nth);
    const copy = takeCopy(scenario, join(directory, `${point}-${nth}`));
    if (copy === null || known.has(copy.hash)) return;
    known.add(copy.hash);
    moments.push({ name: `${point} ${nth}`, point, copy, fetches: scene.countFetches() });
  };
  using _observed = observeCrashPoints(take);
  const handle = await scenario.start(crashContract, { approve: 'ask' });
  const driven = await attend(scenario.engine, handle);
  const end = describeEnd(scenario, driven);
  await scenario.engine.close();
  return { moments, counts, driven, end };
}

describe('a run that is cut off', () => {
  it('at any commit and any border of an effect comes to the same end, with nothing paid or done twice', async () => {
    using kept = createTemporaryDirectory();
    await using scene = await openCrashScene();
    const { scenario } = scene;
    const recorded = await record(scene, kept.path);
    expect(recorded.end.outcome).toEqual({ kind: 'met', checked: true });
    expect([recorded.driven.recovered, scene.countFetches()]).toEqual([[], 1]);
    const { runId, result } = recorded.driven;
    const asked: string[] = [];
    for (const { name, copy, fetches } of recorded.moments) {
      putBack(scenario, copy);
      const engine = scenario.openEngine();
      const [run] = await engine.listRuns();
      if (run === undefined) continue; // Cut off before it began.
      const before = foldRun(null, await engine.readEvents(runId));
      if (before === null) throw new Error(`${name}: the run has no events`);
      const [sentBefore, fetchedBefore] = [scenario.server.requests.length, scene.countFetches()];
      const driven = await attend(engine, await engine.resumeRun(runId));
      const events = await engine.readEvents(runId);
      const { divergence } = await engine.replayRun(runId);
      await engine.close();
      expect([name, divergence]).toEqual([name, null]);

      const fetched = fetches + scene.countFetches() - fetchedBefore;
      expect([name, fetched]).toEqual([name, driven.recovered.includes('fetch_url') ? fetches : 1]);
      const repaid = scenario.server.requests.slice(sentBefore).filter(({ position }) => isAnswered(before, position));
      expect([name, repaid.map(({ position }) => position)]).toEqual([name, []]);
      const lost = before.outcome === null ? before.ledger.outstanding.requests : 0;
      expect([name, driven.result.usage.unknown.requests]).toEqual([name, before.ledger.unknown.requests + lost]);
      if (scenario.server.requests.length > sentBefore) {
        expect([name, describeEnd(scenario, driven)]).toEqual([name, recorded.end]);
      } else {
        const { transcript: _none, ...end } = recorded.end;
        expect([name, describeEnd(scenario, driven)]).toMatchObject([name, end]);
      }
      if (driven.recovered.length === 0) {
        const { unknown: _charges, activeMs: _active, ...spent } = result.usage;
        expect([name, driven.result.usage]).toMatchObject([name, spent]);
      }
      const approvals = events.flatMap((event) => (event.type === 'call-start' ? [event.approval ?? null] : []));
      const consumed = approvals.filter((approval) => approval !== null);
      expect([name, consumed]).toEqual([name, [...new Set(consumed)]]);
      asked.push(...driven.recovered);
    }
    console.log(`${recorded.moments.length} moments, each resumed to the same end; ${asked.length} put to a person`);
    expect([...new Set(asked)].toSorted()).toEqual(['fetch_url', 'shell']);
    expect([...recorded.counts.keys()].toSorted()).toEqual(expectedPoints);
  }, 300_000);
});

const expectedPoints = [
  'after-act',
  'after-check',
  'after-record',
  'after-rename',
  'after-reply',
  'before-act',
  'before-check',
  'before-record',
  'before-rename',
  'before-request',
  'between-changes',
];

/** Whether the reply at this place of the conversation was in the journal already. */
function isAnswered(before: RunState, position: number): boolean {
  const { context } = agentOf(before, { agentId: rootAgentId });
  return position < context.filter(({ role }) => role === 'assistant').length;
}
