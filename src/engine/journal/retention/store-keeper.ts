// The handle of whoever looks after the store: what changes it other than by appending. Each call is one short transaction
// in the writer's thread, so that those who append meanwhile are never held up for long.
import type { JournalEvent } from '../../../shared/event.ts';
import type { BlobHash, RunId } from '../../../shared/id.ts';
import type { NewBlob } from '../new-blob.ts';

/** What may be taken out: `over` leaves every run that can still be resumed. */
export type Removable = 'over' | 'unfinished';

export type Hiding =
  /** Nobody can find it any more; its rows are still there. */
  | { readonly kind: 'hidden'; readonly run: number }
  | { readonly kind: 'kept'; readonly because: KeptBecause; readonly why: string };

export type KeptBecause = 'owned' | 'unfinished' | 'changed';

export interface Deleted {
  readonly events: number;
  readonly blobs: number;
  /** As stored. */
  readonly bytes: number;
  readonly isDone: boolean;
}

/** Where an imported run came from. */
export interface ImportSource {
  readonly file: string;
  readonly digest: BlobHash;
}

export interface StoreKeeper {
  /** Takes a run out of everybody's sight, for good: only while it has `events` events, if that is said. Throws `run-unknown`. */
  hide(runId: RunId, removable: Removable, events?: number): Promise<Hiding>;
  /** Hidden runs that nobody is at work on: what a crash left of a pruning or an import. */
  findHidden(): Promise<readonly number[]>;
  /** Deletes a part of a hidden run, with the contents that nothing else names. */
  deleteSome(run: number): Promise<Deleted>;
  /** Deletes contents that no event names, of a stretch after `afterKey`; null when that was the last one. */
  deleteUnnamed(afterKey: number): Promise<{ readonly deleted: Deleted; readonly lastKey: number | null }>;
  /** Gives a stretch of free pages back to the file system; returns how many are left. */
  freePages(): Promise<number>;
  /** Makes the projections of a run again. */
  rebuild(run: number): Promise<void>;
  /** Begins a hidden run that will be `runId`. Throws `run-exists`. */
  beginImport(runId: RunId): Promise<number>;
  addImported(run: number, events: readonly JournalEvent[], blobs: readonly NewBlob[]): Promise<void>;
  /** Brings it into sight, marked as imported. Throws `run-exists`. */
  finishImport(run: number, runId: RunId, source: ImportSource): Promise<void>;
}
