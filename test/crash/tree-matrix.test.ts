// The same for a run of several agents: it is copied, as a crash would leave it, at each commit and each border of an effect, and
// each copy is gone on with as a whole.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/engine/index.ts';
import { observeCrashPoints } from '../../src/engine/journal/crash-point.ts';
import { foldRun } from '../../src/shared/fold-run.ts';
import { follow, type Scenario } from '../support/open-scenario.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { findAgent } from '../support/tree-script.ts';
import { type Copy, putBack, takeCopy } from './copies.ts';
import { countAgents, countTwice, describeTreeEnd, openTreeScene, treeContract } from './tree-scene.ts';

const size = { waited: 1, detached: 1 };

/** Runs it, with a copy of each moment that differs from those before it. */
async function record(scenario: Scenario, directory: string) {
  const copies: Copy[] = [];
  const known = new Set<string>();
  let points = 0;
  const take = () => {
    const copy = takeCopy(scenario, join(directory, String(points++)));
    if (copy === null || known.has(copy.hash)) return;
    known.add(copy.hash);
    copies.push(copy);
  };
  using _observed = observeCrashPoints(take);
  const { result } = await scenario.run(treeContract, { approve: 'all' });
  return { copies, result, end: describeTreeEnd(scenario, result) };
}

/** Whether the reply was in the journal already. */
function isAnswered({ agents }: RunState, agent: string, position: number): boolean {
  const found = Object.values(agents).find(({ agentId }) => agentId === agent);
  return position < (found?.context.filter(({ role }) => role === 'assistant').length ?? 0);
}

describe('a run of several agents that is cut off', () => {
  it('at any commit and any border of an effect comes to the same end, with no agent, reply, edit or message twice', async () => {
    using kept = createTemporaryDirectory();
    await using scenario = await openTreeScene(size);
    const recorded = await record(scenario, kept.path);
    expect(recorded.result.outcome).toEqual({ kind: 'finished', checked: false });
    const { runId } = recorded.result;
    await scenario.engine.close();
    for (const [place, copy] of recorded.copies.entries()) {
      putBack(scenario, copy);
      const engine = scenario.openEngine();
      const [run] = await engine.listRuns();
      if (run === undefined) continue; // Cut off before it began.
      const before = foldRun(null, await engine.readEvents(runId));
      if (before === null) throw new Error(`The run has no events at ${place}`);
      const sentBefore = scenario.server.requests.length;
      const { result } = await follow(await engine.resumeRun(runId));
      const sent = scenario.server.requests.slice(sentBefore);
      const repaid = sent.filter(({ body, position }) => {
        const messages = Array.isArray(body?.messages) ? body.messages : [];
        return isAnswered(before, findAgent({ messages }), position);
      });
      const events = await engine.readEvents(runId);
      await engine.close();
      const { unjournaled: _all, ...twice } = countTwice(scenario, events);
      const spawned = events.filter(({ type }) => type === 'agent-spawn').length;
      expect([place, repaid.length, twice, 1 + spawned]).toEqual([place, 0, none, countAgents(size)]);
      const { transcripts, ...end } = describeTreeEnd(scenario, result, sent);
      expect([place, recorded.end]).toMatchObject([place, end]);
      for (const [agent, messages] of Object.entries(transcripts)) {
        expect([place, agent, messages]).toEqual([place, agent, recorded.end.transcripts[agent]]);
      }
    }
    console.log(`${recorded.copies.length} moments, each resumed to the same end`);
    expect(recorded.copies.length).toBeGreaterThan(30);
  }, 300_000);
});

const none = { agents: 0, replies: 0, reports: 0, mail: 0 };
