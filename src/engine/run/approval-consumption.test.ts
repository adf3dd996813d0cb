// What an approval may start, over runs that could have happened: crashes at any event, people who answer too late, twice or
// in time, runs gone on with under another posture. It is read from the events alone, so the fold cannot vouch for itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/support/create-random.ts';
import { simulateRun } from '../../../test/support/simulate-run.ts';
import { type EventOf, type JournalEvent, Posture } from '../../shared/event.ts';
import { foldRun } from '../../shared/fold-run.ts';

const anyRun = fc
  .record({
    seed: fc.integer(),
    crashChance: fc.constantFrom(0, 0.1, 0.3),
    wordChance: fc.constantFrom(0, 0.5),
    posture: fc.constantFrom(...Posture.options),
  })
  .map(({ seed, ...chances }) => simulateRun({ random: createRandom(seed), resumes: 20, maxEvents: 600, ...chances }));

const holdsForAnyRun = (holds: (events: readonly JournalEvent[]) => void): void =>
  fc.assert(
    fc.property(anyRun, ({ events }) => holds(events)),
    { numRuns: 1000 },
  );

describe('an approval', () => {
  it('starts one call at most, whatever crashed meanwhile', () => {
    holdsForAnyRun((events) => {
      const consumed = startsOf(events).flatMap(({ approval }) => (approval === undefined ? [] : [approval]));
      expect(consumed).toEqual([...new Set(consumed)]);
    });
  });

  it('is the first answer to a question that was open when its call started', () => {
    holdsForAnyRun((events) => {
      for (const { approval, call, step, seq } of startsOf(events)) {
        if (approval === undefined) continue;
        const before = events.slice(0, seq - 1);
        const asked = before.findLastIndex((event) => event.type === 'approval-request' && event.request === approval);
        expect(before[asked]).toMatchObject({ call, step });
        const since = before.slice(asked + 1);
        expect(since.some((event) => event.type === 'approval-lapse' && event.request === approval)).toBe(false);
        expect(answersTo(since, approval)[0]).toBe('approve');
      }
    });
  });

  it('is what every start of an act that asks goes by, unless all are answered with yes', () => {
    holdsForAnyRun((events) => {
      for (const { approval, risky, seq } of startsOf(events)) {
        if (risky && postureAt(events, seq) !== 'all') expect(approval).toBeDefined();
      }
    });
  });
});

describe('a command', () => {
  it('is never started twice, because nobody can tell what became of it', () => {
    holdsForAnyRun((events) => {
      const started = startsOf(events).flatMap(({ class: recovery, step, call }) =>
        recovery === 'indeterminate' ? [`${step}:${call}`] : [],
      );
      expect(started).toEqual([...new Set(started)]);
    });
  });
});

describe('the state of a run with questions', () => {
  it('is the same folded in two pieces, between which it was sent as JSON', () => {
    fc.assert(
      fc.property(anyRun, fc.double({ min: 0, max: 1, noNaN: true }), ({ events }, place) => {
        const cut = 1 + Math.floor(place * (events.length - 1));
        const snapshot = JSON.parse(JSON.stringify(foldRun(null, events.slice(0, cut))));
        expect(foldRun(snapshot, events.slice(cut))).toEqual(foldRun(null, events));
      }),
      { numRuns: 60 },
    );
  });
});

const startsOf = (events: readonly JournalEvent[]): EventOf<'call-start'>[] =>
  events.flatMap((event) => (event.type === 'call-start' ? [event] : []));

const answersTo = (events: readonly JournalEvent[], request: string): string[] =>
  events.flatMap((event) => {
    if (event.type !== 'approval-decision' && event.type !== 'review-finish') return [];
    return event.request === request && event.decision !== 'defer' ? [event.decision] : [];
  });

/** Who answered questions when the event at `seq` was journaled. */
function postureAt(events: readonly JournalEvent[], seq: number): Posture | null {
  const began = events.slice(0, seq).findLast(({ type }) => type === 'run-start' || type === 'run-resume');
  return began?.type === 'run-start' || began?.type === 'run-resume' ? began.posture : null;
}
