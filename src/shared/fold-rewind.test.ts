import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../test/support/create-random.ts';
import { simulateRun } from '../../test/support/simulate-run.ts';
import type { EventBody, JournalEvent } from './event.ts';
import { measureContext } from './fold-context.ts';
import { foldRun } from './fold-run.ts';
import { type AgentId, rootAgentId } from './id.ts';
import type { RewindAim } from './rewind.ts';
import type { AgentState, RunState } from './run-state.ts';

const anySeed = fc.integer({ min: 1, max: 1_000_000 });
/** Evenly spread, as a double of fast-check is not. */
const anyPlace = fc.integer({ min: 0, max: 1000 }).map((part) => part / 1000);

describe('a rewound run', () => {
  it('has the context, and knows the files, that it had and knew at the end of that step', () => {
    fc.assert(
      fc.property(anySeed, anyPlace, (seed, place) => {
        const found = rewindSomewhere(seed, place);
        if (found === null) return;
        const { then, after } = found;
        expect(rootOf(after).context).toEqual(rootOf(then).context);
        expect(rootOf(after).compactedBefore).toBe(rootOf(then).compactedBefore);
        expect(rootOf(after).contextBytes).toBe(rootOf(then).contextBytes);
        expect(rootOf(after).files).toEqual(rootOf(then).files);
        expect(rootOf(after).phase).toEqual({ kind: 'ready' });
      }),
      { numRuns: 150 },
    );
  });

  it('keeps what was spent, decided, counted and shown, and counts on with its steps', () => {
    fc.assert(
      fc.property(anySeed, anyPlace, (seed, place) => {
        const found = rewindSomewhere(seed, place);
        if (found === null) return;
        const { before, after } = found;
        expect(after.ledger.settled).toEqual(before.ledger.settled);
        expect(after.ledger.outstanding.requests).toBe(0);
        expect(after.ledger.unknown.requests).toBe(before.ledger.unknown.requests + before.ledger.outstanding.requests);
        const kept = ({ riskyActs, remembered, plan, denied, changed }: RunState) => [
          riskyActs,
          remembered,
          plan,
          denied,
          changed,
        ];
        expect(kept(after)).toEqual(kept(before));
        expect(rootOf(after).label).toEqual(rootOf(before).label);
        expect(rootOf(after).step).toBeGreaterThanOrEqual(lastAnswered(found.events));
      }),
      { numRuns: 150 },
    );
  });

  it('is after an undo where a crash would have left it, whichever copy of the state was folded on', () => {
    fc.assert(
      fc.property(anySeed, anyPlace, (seed, place) => {
        const found = rewindSomewhere(seed, place);
        if (found === null) return;
        const { before, after, events } = found;
        const sent: RunState = JSON.parse(JSON.stringify(after));
        const undo = toEvents(after, [
          ...rewindBodies({ kind: 'undo', rewind: after.rewound?.seq ?? 0 }, 'undo', before.outcome),
        ]);
        const undone = foldRun(sent, undo);
        if (undone === null) throw new Error('A state was given');
        expect(undone).toEqual(foldRun(null, [...events, ...undo]));
        expect(rootOf(undone).context).toEqual(rootOf(before).context);
        expect(rootOf(undone).files).toEqual(rootOf(before).files);
        expect(undone.rewound).toBeNull();
        expect(undone.outcome).toEqual(before.outcome);
        const open = rootOf(undone).phase;
        const stages = open.kind === 'acting' ? open.calls.map(({ stage }) => stage.kind) : [];
        for (const stage of stages) expect(['proposed', 'interrupted', 'finished']).toContain(stage);
      }),
      { numRuns: 150 },
    );
  });
});

/** A run that was cut off somewhere, and rewound to the end of one of its steps; null where it has none to go back to. */
function rewindSomewhere(seed: number, place: number) {
  const random = createRandom(seed);
  const options = { random, crashChance: 0.05, wordChance: 0.1, contextTokens: 30_000, maxEvents: 120 };
  const run = simulateRun({ ...options, posture: seed % 2 === 0 ? 'defer' : 'all' }).events;
  const cut = run.slice(0, 1 + Math.floor(place * (run.length - 1)));
  const begun = cut.filter((event) => event.type === 'model-start' && event.step > 1);
  const next = begun[Math.floor(random() * begun.length)];
  if (next === undefined) return null;
  const first = cut.find((event) => event.type === 'model-start' && event.step === next.step) ?? next;
  const [then, before] = [fold(cut.slice(0, first.seq - 1)), fold(cut)];
  const aim = toAim(rootOf(then), rootOf(before), next.step - 1);
  const events = [...cut, ...toEvents(before, rewindBodies(aim, 'step', { kind: 'rewound', step: next.step - 1 }))];
  return { then, before, events, after: fold(events) };
}

function toAim(then: AgentState, now: AgentState, step: number): RewindAim {
  const paths = Object.keys({ ...then.files, ...now.files }).filter((path) => then.files[path] !== now.files[path]);
  const seen = paths.map((path) => ({ path, hash: then.files[path] ?? null }));
  const left = then.leftOut.turns === 0 ? {} : { leftOut: then.leftOut.before };
  return { kind: 'step', step, items: then.context.length, compactedBefore: then.compactedBefore, ...left, seen };
}

function rewindBodies(aim: RewindAim, kind: 'step' | 'undo', outcome: RunState['outcome']): EventBody[] {
  const told = { actor: 'person:test', files: [], untold: 0 };
  return [
    { type: 'rewind-start', ...told, aim },
    { type: 'run-rewind', ...told, aim: kind, cancelled: [], outcome },
  ];
}

function toEvents({ runId, seq }: RunState, bodies: readonly EventBody[]): JournalEvent[] {
  const place = { runId, agentId: rootAgentId satisfies AgentId, step: 1, at: 0 };
  return bodies.map((body, index) => ({ ...place, seq: seq + 1 + index, ...body }));
}

function fold(events: readonly JournalEvent[]): RunState {
  const state = foldRun(null, events);
  if (state === null) throw new Error('A run has a first event');
  return state;
}

function rootOf({ agents }: RunState): AgentState {
  const root = agents[rootAgentId];
  if (root === undefined) throw new Error('A run has a root');
  expect(root.contextBytes).toBe(measureContext(root));
  return root;
}

const lastAnswered = (events: readonly JournalEvent[]): number =>
  Math.max(0, ...events.flatMap((event) => (event.type === 'model-finish' ? [event.step] : [])));
