// The driver's hold on its run: events are folded as soon as they are known and made durable before anything is done
// because of them. What other writers appended meanwhile is noticed at every commit and folded in its journaled place.

import { EngineError } from '../../shared/engine-error.ts';
import type { DriverEventBody, EventPlace, JournalEvent } from '../../shared/event.ts';
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
  /** Folds what other writers have appended, unless something of ours is on its way. Throws `lease-lost`. */
  catchUp(): void;
}

/** Of a run that is driven. */
export interface RunRecorder extends Recorder {
  /** Calls `listener` with each event of ours as it is folded, and with null for what others have appended. */
  onFold(listener: (event: JournalEvent | null) => void): void;
}

export interface RecorderOptions {
  readonly state: RunState;
  readonly lease: Lease;
  readonly reader: JournalReader;
  readonly writer: JournalWriter;
  readonly clock: RunClock;
}

const batchSize = 4000;

export function createRecorder({ state: opened, lease, reader, writer, clock }: RecorderOptions): RunRecorder {
  let state = opened;
  let committed = opened.seq;
  let events: NewEvent[] = [];
  let blobs: NewBlob[] = [];
  let flushing: Promise<void> | null = null;
  let tell: (event: JournalEvent | null) => void = () => undefined;

  const fold = ({ agentId, step, at, body }: NewEvent): JournalEvent => {
    const event = { runId: lease.runId, agentId, step, seq: state.seq + 1, at, ...body };
    applyEvent(state, event);
    return event;
  };
  /** Somebody's word came in between, so the fold was made in another order than the journal's. */
  const foldAnew = (): void => {
    state = foldAll(reader, lease, null, 0, committed);
    for (const event of events) fold(event);
    tell(null);
  };
  /** One transaction at a time: what is emitted meanwhile waits for the next, all of it for the same one. */
  const flush = async (): Promise<void> => {
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
    if (result.firstSeq !== expected) foldAnew();
  };

  return {
    get state() {
      return state;
    },
    get durableSeq() {
      return committed;
    },
    emit(place, body, newBlobs = []) {
      const event = { agentId: place.agentId, step: place.step, at: clock.nowMs(), body };
      events.push(event);
      blobs.push(...newBlobs);
      tell(fold(event));
    },
    async commit() {
      // The transaction on its way holds what was emitted before it began, which is not all that the caller waits for.
      while (flushing !== null) await flushing;
      if (events.length === 0) return;
      flushing = flush().finally(() => {
        flushing = null;
      });
      await flushing;
    },
    isHeld: () => reader.isHeld(lease),
    catchUp() {
      if (flushing !== null || events.length > 0) return; // The commit of it asks whether the run is still held.
      if (!reader.isHeld(lease)) throw leaseLost(lease);
      if (reader.readHead(lease.runId) === committed) return;
      state = foldAll(reader, lease, state, committed);
      committed = state.seq;
      tell(null);
    },
    onFold(listener) {
      tell = listener;
    },
  };
}

/** Reads a run's events after `afterSeq`, at most up to `upToSeq`, and folds them onto `start`. */
export function foldAll(
  reader: Pick<JournalReader, 'readEvents'>,
  { runId }: Pick<Lease, 'runId'>,
  start: RunState | null,
  afterSeq: number,
  upToSeq = Number.MAX_SAFE_INTEGER,
): RunState {
  let state = start;
  for (let seq = afterSeq; seq < upToSeq; ) {
    const limit = Math.min(batchSize, upToSeq - seq);
    const events = reader.readEvents(runId, seq, limit);
    state = foldRun(state, events);
    seq = events.at(-1)?.seq ?? seq;
    if (events.length < limit) break;
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
