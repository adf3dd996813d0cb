// Clears away, once for each engine and beside its first run, what killed engines have left of their sandboxes.
import { sweepLeftovers } from '../sandbox/leftovers/sweep-leftovers.ts';

export interface Sweeper {
  /** Begins, where that has not been done yet; nobody waits for it. */
  start(): void;
  /** Stops it; what is left is for the next engine. */
  close(): Promise<void>;
}

export function createSweeper(): Sweeper {
  const stop = new AbortController();
  let sweep: Promise<unknown> | null = null;
  return {
    start() {
      sweep ??= sweepLeftovers(stop.signal);
    },
    async close() {
      stop.abort();
      await sweep;
    },
  };
}
