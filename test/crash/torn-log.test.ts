// A power cut in the middle of a commit: of its transaction some is in the log and some is not. It is as if that commit had
// never been, and the run comes to the same end.
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { observeCrashPoints } from '../../src/engine/journal/crash-point.ts';
import type { Scenario } from '../support/open-scenario.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { type Copy, putFiles, reboot, takeCopy } from './copies.ts';
import { attend, type CrashScene, crashContract, describeEnd, openCrashScene } from './crash-scene.ts';
import { cutLog } from './cut-log.ts';

interface Moment {
  readonly copy: Copy;
  readonly fetches: number;
  readonly events: number;
}

function countEvents({ home }: Scenario): number {
  const database = new SqliteDatabase(join(home, 'journal.db'), { readonly: true });
  try {
    return Number(database.prepare('select count(*) from event').pluck().get());
  } finally {
    database.close();
  }
}

/** Records the run, with a copy of what each of its commits leaves before anything is done because of it. */
async function record(scene: CrashScene, directory: string) {
  const { scenario } = scene;
  const moments: Moment[] = [];
  let hasBegun = false;
  using _observed = observeCrashPoints((point) => {
    if (point !== 'after-record') return;
    // For whoever finds a copy its driver is of before a restart; the driver itself goes by the generation of its lease.
    if (!hasBegun) reboot(scenario);
    else {
      const copy = takeCopy(scenario, join(directory, String(moments.length)));
      if (copy !== null) moments.push({ copy, fetches: scene.countFetches(), events: countEvents(scenario) });
    }
    hasBegun = true;
  });
  const driven = await attend(scenario.engine, await scenario.start(crashContract, { approve: 'ask' }));
  const end = describeEnd(scenario, driven);
  await scenario.engine.close();
  return { moments, runId: driven.runId, end };
}

describe('a log that is cut off inside its last transaction', () => {
  it('at any place of it is the log without that transaction, and each run comes to the same end', async () => {
    using kept = createTemporaryDirectory();
    await using scene = await openCrashScene();
    const { scenario } = scene;
    const { moments, runId, end } = await record(scene, kept.path);
    const seen = new Set<string>();
    for (const [place, { copy, fetches, events }] of moments.entries()) {
      const cuts = cutLog(copy.log ?? new Uint8Array());
      // Each moment at one kind of place, and each kind at several moments.
      const cut = cuts[place % cuts.length];
      if (cut === undefined) continue; // The log has just begun anew.
      const name = `commit ${place}, cut ${cut.where}`;
      putFiles(scenario, { ...copy, log: cut.log });
      const engine = scenario.openEngine();
      const before = await engine.readEvents(runId);
      expect([name, before.length < events]).toEqual([name, true]);
      const [sentBefore, fetchedBefore] = [scenario.server.requests.length, scene.countFetches()];
      const driven = await attend(engine, await engine.resumeRun(runId));
      await engine.close();
      const sent = scenario.server.requests.slice(sentBefore);
      const replies = before.filter(({ type }) => type === 'model-finish').length;
      expect([name, sent.filter(({ position }) => position < replies)]).toEqual([name, []]);
      const fetched = fetches + scene.countFetches() - fetchedBefore;
      expect([name, fetched]).toEqual([name, driven.recovered.includes('fetch_url') ? fetches : 1]);
      const { transcript, ...rest } = end;
      const expected = sent.length > 0 ? { ...rest, transcript } : rest;
      expect([name, describeEnd(scenario, driven)]).toMatchObject([name, expected]);
      seen.add(cut.where);
    }
    expect(seen.size).toBe(7);
  }, 300_000);
});
