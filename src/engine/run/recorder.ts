// The driver's hold on its run: events are folded as soon as they are known and made durable before anything is done
// because of them. What other writers appended meanwhile is noticed at every commit and folded in its journaled place.

import { EngineError } from '../../shared/engine-error.ts';
import type { DriverEventBody, EventPlace } from '../../shared/event.ts';
import { applyEvent, foldRun } from '../../shared/fold-run.ts';
import type { RunState } from '../../shared/run-state.ts';
import { passCrashPoint } from '../journal/crash-point.ts';
import type { JournalReader, JournalWriter, Lease, NewBlob, NewEvent } from '../journal/journal.ts';
import type { RunClock } from './run-clock.ts';

export interface Recorder {
  /** The state with everything emitted so far. Do not keep it over an await: another object may take its place. */
  readonly state: RunState;
  /** Up to where the journal is folded in: whatever stands after it was said by somebody else, or is not durable yet. */
  readonly durableSeq: number;
  /** Folds an event at once; it is durable after the next commit. */
  emit(place: EventPlace, body: DriverEventBody, blobs?: readonly NewBlob[]): void;
  /**
   * Makes everything emitted durable, in one transaction. Throws `lease-lost` when another process drives the run now; so
   * whatever is done right behind it is done by the run's only driver.
   */
  commit(): Promise<void>;
  /** Whether the run is still this driver's. */
  isHeld(): boolean;
  /** Folds what other writers have appended. Only between commits. Throws `lease-lost`. */
  catchUp(): void;
}

export interface RecorderOptions {
  readonly state: RunState;
  readonly lease: Lease;
  readonly reader: JournalReader;
  readonly writer: JournalWriter;
  readonly clock: RunClock;
}

const batchSize = 4000;

export function createRecorder({ state: opened, lease, reader, writer, clock }: RecorderOptions): Recorder {
  let state = opened;
  let committed = opened.seq;
  let events: NewEvent[] = [];
  let blobs: NewBlob[] = [];

  const readFrom = (start: RunState | null, afterSeq: number): RunState => {
    const folded = foldAll(reader, lease, start, afterSeq);
    committed = folded.seq;
    return folded;
  };

  return {
    get state() {
      return state;
    },
    get durableSeq() {
      return committed;
    },
    emit(place, body, newBlobs = []) {
      const at = clock.nowMs();
      events.push({ agentId: place.agentId, step: place.step, at, body });
      blobs.push(...newBlobs);
      applyEvent(state, {
        runId: lease.runId,
        agentId: place.agentId,
        step: place.step,
        seq: state.seq + 1,
        at,
        ...body,
      });
    },
    async commit() {
      if (events.length === 0) return;
      const batch = { events, blobs };
      events = [];
      blobs = [];
      passCrashPoint('before-record');
      const result = await writer.append(lease, batch.events, batch.blobs);
      passCrashPoint('after-record');
      // Also asked when it is written: this process may have been suspended since, for as long as a takeover needs.
      if (result.kind === 'lease-lost' || !reader.isHeld(lease)) throw leaseLost(lease);
      const expected = committed + 1;
      committed = result.firstSeq + batch.events.length - 1;
      // Somebody's word came in between, so the fold was made in another order than the journal's.
      if (result.firstSeq !== expected) state = readFrom(null, 0);
    },
    isHeld: () => reader.isHeld(lease),
    catchUp() {
      if (!reader.isHeld(lease)) throw leaseLost(lease);
      if (events.length === 0 && reader.readHead(lease.runId) !== committed) state = readFrom(state, committed);
    },
  };
}

/** Reads a run's events after `afterSeq` and folds them onto `start`. */
export function foldAll(
  reader: JournalReader,
  { runId }: Pick<Lease, 'runId'>,
  start: RunState | null,
  afterSeq: number,
): RunState {
  let state = start;
  for (let seq = afterSeq; ; ) {
    const events = reader.readEvents(runId, seq, batchSize);
    state = foldRun(state, events);
    seq = events.at(-1)?.seq ?? seq;
    if (events.length < batchSize) break;
  }
  if (state === null) {
    throw new EngineError('run-unknown', `There is no run ${runId} in this home.`, {
      remedy: 'List the runs with "io-studio runs", and give the same --home that the run was started with.',
    });
  }
  return state;
}

const leaseLost = ({ runId }: Lease): EngineError =>
  new EngineError('lease-lost', `Another process has taken over run ${runId}; nothing more was done here.`, {
    remedy: `Follow it there, or read it with "io-studio trace ${runId}".`,
  });
