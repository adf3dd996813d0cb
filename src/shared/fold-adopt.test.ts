import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/support/create-random.ts';
import { simulateRun } from '../../test/support/simulate-run.ts';
import type { EventBody, JournalEvent } from './event.ts';
import { foldRun } from './fold-run.ts';
import { BlobHash, rootAgentId } from './id.ts';
import type { RunState } from './run-state.ts';

const workspace = { path: '/here', device: '3', inode: '4' };
const imported: EventBody = { type: 'run-import', source: 'run.ioexport', digest: BlobHash.parse('0'.repeat(64)) };
const adopted: EventBody = { type: 'run-adopt', actor: 'person:here', workspace };

/** A run cut off anywhere, as an export may find it. */
const anyCut = fc.tuple(fc.integer(), fc.double({ min: 0, max: 1, noNaN: true })).map(([seed, place]) => {
  const { events } = simulateRun({ random: createRandom(seed), crashChance: 0.05, wordChance: 0.3, resumes: 2 });
  return events.slice(0, 1 + Math.floor(place * (events.length - 1)));
});

function fold(events: readonly JournalEvent[], ...bodies: readonly EventBody[]): RunState {
  const last = events.at(-1);
  if (last === undefined) throw new Error('A run has events');
  const more = bodies.map((body, place) => ({ ...last, ...body, agentId: rootAgentId, seq: last.seq + place + 1 }));
  const state = foldRun(null, events);
  for (const { runId, agentId, step, seq, at } of more) {
    const body = bodies[seq - last.seq - 1];
    if (body !== undefined) foldRun(state, [{ runId, agentId, step, seq, at, ...body }]);
  }
  if (state === null) throw new Error('A start gives a state');
  return state;
}

const callsOf = ({ agents }: RunState) =>
  Object.values(agents).flatMap(({ phase }) => (phase.kind === 'acting' ? phase.calls : []));

describe('a run that changes hands', () => {
  it('keeps no question, answer, rule or staged change, and starts nothing again by itself', () => {
    fc.assert(
      fc.property(anyCut, (events) => {
        const before = fold(events);
        const state = fold(events, imported, adopted);
        for (const [place, { stage, rewrite, staged }] of callsOf(state).entries()) {
          const was = callsOf(before)[place]?.stage;
          expect(['proposed', 'interrupted', 'finished']).toContain(stage.kind);
          expect([rewrite, staged]).toEqual([null, null]);
          if (was?.kind === 'started' && was.class !== 'repeat') expect(stage.kind).toBe('interrupted');
          if (stage.kind === 'interrupted') expect(stage).toMatchObject({ class: 'indeterminate', change: null });
        }
        expect([state.remembered, state.wishes]).toEqual([[], { cancelledBy: null, pausedBy: null }]);
        expect(state.plan).not.toBe('approved');
      }),
      { numRuns: 100 },
    );
  });

  it('keeps what was said, seen and spent, and takes every word of it for somebody else’s', () => {
    fc.assert(
      fc.property(anyCut, (events) => {
        const before = fold(events);
        const state = fold(events, imported, adopted);
        const root = state.agents[rootAgentId];
        expect(root?.context).toEqual(before.agents[rootAgentId]?.context);
        expect([state.ledger, state.riskyActs, state.outcome]).toEqual([
          before.ledger,
          before.riskyActs,
          before.outcome,
        ]);
        expect([root?.files, root?.label.untrusted === null]).toEqual([before.agents[rootAgentId]?.files, false]);
      }),
      { numRuns: 100 },
    );
  });

  it('is only to be read until it is adopted, and has its new workspace then, without its policy', () => {
    const { events } = simulateRun({ random: createRandom(1) });
    const read = fold(events, imported);
    const own = fold(events, imported, adopted);
    expect([read.imported, own.imported]).toEqual([{ at: events.at(-1)?.at, source: 'run.ioexport' }, null]);
    expect(read.settings).toEqual(fold(events).settings);
    expect(own.settings).toMatchObject({ workspace, policy: null, posture: 'defer', reviewer: null });
  });
});
