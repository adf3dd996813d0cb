// Where in its journal a run stood when a step was over: from there another run can go on. Steps that the run itself has
// left behind by a rewind can be forked from as well; of two with one number the later one counts.
import { EngineError } from '../../../shared/engine-error.ts';
import type { EventType, JournalEvent } from '../../../shared/event.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import { type RunId, rootAgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { JournalReader } from '../../journal/journal.ts';

export interface ForkPoint {
  readonly step: number;
  /** The last event that counts. */
  readonly seq: number;
  /** The run as it stood there. */
  readonly state: RunState;
  /** The run has changed hands since, so that what it did to files until then it did elsewhere. */
  readonly isElsewhere: boolean;
}

const pointEvents: readonly EventType[] = [
  'run-start',
  'run-fork',
  'fork-context',
  'observation',
  'model-start',
  'model-finish',
  'step-finish',
  'run-adopt',
];

/** Null for `step`: the last one that is over. Throws `usage` for one that is not. */
export function findForkPoint(reader: JournalReader, runId: RunId, step: number | null): ForkPoint {
  // Others count steps of their own.
  const events = reader.readEventsOf(runId, pointEvents).filter(({ agentId }) => agentId === rootAgentId);
  const points = readPoints(events);
  const last = [...points].toSorted(([, left], [, right]) => left - right).at(-1);
  const wanted = step ?? last?.[0] ?? 0;
  const seq = points.get(wanted);
  if (seq === undefined) throw noSuchStep(wanted, [...points.keys()]);
  const isElsewhere = events.some((event) => event.type === 'run-adopt' && event.seq > seq);
  return { step: wanted, seq, state: foldTo(reader, runId, seq), isElsewhere };
}

/** A reply without calls leaves a step in which nothing is open, whether or not it was checked. */
function readPoints(events: readonly JournalEvent[]): Map<number, number> {
  const points = new Map<number, number>();
  let hasBegun = false;
  for (const { type, step, seq, ...event } of events) {
    if (type === 'model-start') hasBegun = true;
    else if (!hasBegun) points.set(0, seq);
    else if (type === 'step-finish') points.set(step, seq);
    else if ('calls' in event && event.calls.length === 0) points.set(step, seq);
  }
  return points;
}

const batchSize = 4000;

function foldTo(reader: JournalReader, runId: RunId, last: number): RunState {
  let state: RunState | null = null;
  for (let seq = 0; seq < last; ) {
    const events = reader.readEvents(runId, seq, Math.min(batchSize, last - seq));
    if (events.length === 0) break;
    state = foldRun(state, events);
    seq = events.at(-1)?.seq ?? last;
  }
  if (state === null) throw new RangeError(`Run ${runId} has no event up to ${last}`);
  return state;
}

function noSuchStep(step: number, steps: readonly number[]): EngineError {
  const message = `Step ${step} of the run is not over, or there is none; those that are: ${toRanges(steps)}.`;
  return new EngineError('usage', message, { remedy: 'Name one of them with --at; 0 is the beginning of the run.' });
}

/** A long run has thousands. */
function toRanges(steps: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const step of steps.toSorted((left, right) => left - right)) {
    const last = ranges.at(-1);
    if (last !== undefined && step === last[1] + 1) last[1] = step;
    else ranges.push([step, step]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ');
}
