// Says "look again" to whoever waits for a run. Rung by this process's writer; commits of other processes are noticed by
// asking SQLite for its data version while anybody waits. It carries no data, so nothing queues up behind a slow reader.
import type { RunId } from '../../shared/id.ts';

export interface Doorbell {
  /** Wakes those who wait for this run. */
  ring(runId: RunId): void;
  /** Resolves at the next ring, or when `signal` aborts or the bell is closed. Hold a `listen` while using it. */
  wait(runId: RunId, signal: AbortSignal): Promise<void>;
  /** Starts noticing other processes; call the result to stop. Listeners share one timer. */
  listen(): () => void;
  readonly closed: boolean;
  close(): void;
}

const pollMs = 200;

/** `readVersion` returns a number that changes with every commit of another connection. */
export function createDoorbell(readVersion: () => number): Doorbell {
  const waiting = new Map<() => void, RunId>();
  let listeners = 0;
  let timer: NodeJS.Timeout | undefined;
  let version = 0;
  let closed = false;

  const wake = (runId: RunId | null): void => {
    for (const [resolve, waitsFor] of waiting) if (runId === null || waitsFor === runId) resolve();
  };
  const poll = (): void => {
    const now = readVersionOrNull(readVersion);
    // A store that cannot be read wakes everybody: their own next read then reports why.
    if (now === version) return;
    version = now ?? -1;
    wake(null);
  };

  return {
    ring: wake,
    wait(runId, signal) {
      if (closed || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const stop = (): void => {
          waiting.delete(stop);
          signal.removeEventListener('abort', stop);
          resolve();
        };
        waiting.set(stop, runId);
        signal.addEventListener('abort', stop);
      });
    },
    listen() {
      if (listeners === 0) {
        version = readVersion();
        timer = setInterval(poll, pollMs);
      }
      // Not before: a store that could not be read has no listener, and the next one has to start the timer.
      listeners++;
      return () => {
        if (--listeners === 0) clearInterval(timer);
      };
    },
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      clearInterval(timer);
      wake(null);
    },
  };
}

function readVersionOrNull(readVersion: () => number): number | null {
  try {
    return readVersion();
  } catch {
    return null;
  }
}
