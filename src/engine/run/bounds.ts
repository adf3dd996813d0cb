// What may cut an action short: the process ending, the time budget, a person who cancels, from whichever process, or
// another driver that has taken the run over.
import type { RunId } from '../../shared/id.ts';
import type { JournalReader } from '../journal/journal.ts';

export interface BoundsOptions {
  readonly interrupt: AbortSignal;
  /** Time left in the run's budget; null: no limit. */
  readonly leftMs: number | null;
  readonly reader: JournalReader;
  readonly runId: RunId;
  /** Where the driver has folded the journal up to: a person's word stands after it. */
  readonly durableSeq: number;
  /** Whether the run is still this driver's. */
  readonly isHeld: () => boolean;
}

/** How soon it is noticed what another process has done. */
const lookEveryMs = 250;

/** Opens a signal that aborts on any of the bounds; disposing it stops its timers. */
export function openBounds({
  interrupt,
  leftMs,
  reader,
  runId,
  durableSeq,
  isHeld,
}: BoundsOptions): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const abort = () => controller.abort(interrupt.reason);
  if (interrupt.aborted) abort();
  interrupt.addEventListener('abort', abort, { once: true });
  const timer = leftMs === null ? null : setTimeout(() => controller.abort('wallMs'), toTimerMs(leftMs));
  const look = setInterval(() => {
    if (isCancelled(reader, runId, durableSeq)) controller.abort('run-cancel');
    if (!isAssumed(isHeld)) controller.abort('lease-lost');
  }, lookEveryMs);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      interrupt.removeEventListener('abort', abort);
      if (timer !== null) clearTimeout(timer);
      clearInterval(look);
    },
  };
}

/** Timers may be early by part of a millisecond: after one that was, the time would not look spent. */
const toTimerMs = (leftMs: number): number => Math.min(leftMs + 1, 2 ** 31 - 1);

/** A journal that cannot be read here fails the driver's own next use of it, where the failure has an answer. */
function isCancelled(reader: JournalReader, runId: RunId, seq: number): boolean {
  try {
    if (reader.readHead(runId) <= seq) return false;
    return reader.readEvents(runId, seq, 100).some(({ type }) => type === 'run-cancel');
  } catch {
    return false;
  }
}

function isAssumed(isHeld: () => boolean): boolean {
  try {
    return isHeld();
  } catch {
    return true;
  }
}
