import type { JournalEvent, LiveUpdate, RunResult } from '../engine/index.ts';

/** Where a run is shown: for people, or for scripts. */
export interface RunView {
  event(event: JournalEvent): void;
  live(update: LiveUpdate): void;
  result(result: RunResult): Promise<void>;
}
