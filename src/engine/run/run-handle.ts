// A run under way in this process: drives it, and lets its host watch, interrupt and await it.
import { type EngineError, isEngineError } from '../../shared/engine-error.ts';
import type { JournalEvent } from '../../shared/event.ts';
import type { RunId } from '../../shared/id.ts';
import { type RunOutcome, toExitCode } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import { driveRun } from './drive-run.ts';
import type { DriverPorts } from './driver-ports.ts';
import type { RunHandle, RunResult } from './engine.ts';
import { toResult, toUsageReport } from './to-result.ts';

export interface StartDrivingOptions {
  readonly ports: DriverPorts;
  /** Events after this one are the handle's: 0 for a new run. */
  readonly afterSeq: number;
  /** Releases what was opened for this run alone, its lease included. */
  readonly close: () => Promise<void>;
}

export function startDriving({ ports, afterSeq, close }: StartDrivingOptions): RunHandle {
  const interruption = new AbortController();
  const ended = new AbortController();
  const { runId } = ports.recorder.state;

  const drive = async (): Promise<RunResult> => {
    try {
      const outcome = await driveRun(ports, interruption.signal);
      return toResult(ports.recorder.state, outcome, ports.reader);
    } catch (error) {
      if (isEngineError(error) && error.code.startsWith('store-')) return toStoreFailure(ports.recorder.state, error);
      throw error;
    } finally {
      // However closing goes, the outcome stands, and nobody may wait for more events; a lease ends with its process.
      await close().catch(() => undefined);
      ended.abort();
    }
  };

  return {
    runId,
    events: () => eventsUntil(ports.reader, runId, afterSeq, ended.signal),
    onLive: (listener) => ports.live.subscribe(listener),
    interrupt: (signal) => interruption.abort(signal),
    result: drive(),
  };
}

/** The handle of a run that is over: no events, and its result at once. */
export function createEndedHandle(state: RunState, outcome: RunOutcome, reader: JournalReader): RunHandle {
  return {
    runId: state.runId,
    events: async function* () {},
    onLive: () => () => undefined,
    interrupt: () => undefined,
    result: Promise.resolve(toResult(state, outcome, reader)),
  };
}

async function* eventsUntil(
  reader: JournalReader,
  runId: RunId,
  afterSeq: number,
  ended: AbortSignal,
): AsyncGenerator<JournalEvent[]> {
  let seq = afterSeq;
  for await (const batch of reader.watch(runId, seq, ended)) {
    seq = batch.at(-1)?.seq ?? seq;
    yield batch;
  }
  const rest = reader.readEvents(runId, seq);
  if (rest.length > 0) yield rest;
}

/** The journal cannot say how the run ended, so the result does; the run can be resumed once the store is well again. */
function toStoreFailure(state: RunState, { message, remedy }: EngineError): RunResult {
  const outcome: RunOutcome = { kind: 'storeFailed', reason: `${message} ${remedy}` };
  return {
    runId: state.runId,
    outcome,
    exitCode: toExitCode(outcome),
    evidence: null,
    usage: toUsageReport(state),
    denied: [],
  };
}
