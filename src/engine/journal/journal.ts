// The journal's two handles. Readers cannot write: `JournalReader` is a connection of its own in the calling thread,
// `JournalWriter` speaks to the one worker thread that owns the writing connection.
import type { DriverEventBody, EventPlace, EventType, JournalEvent, PersonEventBody } from '../../shared/event.ts';
import type { BlobHash, RunId } from '../../shared/id.ts';
import type { RunOutcome } from '../../shared/outcome.ts';
import type { OwnerLife } from '../process/is-owner-alive.ts';
import type { LeaseOwner } from './lease-owner.ts';
import type { NewBlob } from './new-blob.ts';
import type { StoreKeeper } from './retention/store-keeper.ts';

export type { LeaseOwner } from './lease-owner.ts';
export type { NewBlob } from './new-blob.ts';

/** The right to append driver events to a run. It is lost for good once another owner has taken a later generation. */
export interface Lease {
  readonly runId: RunId;
  readonly generation: number;
}

export interface NewEvent extends EventPlace {
  /** Wall clock in milliseconds since 1970. */
  readonly at: number;
  readonly body: DriverEventBody;
}

export interface NewPersonEvent extends EventPlace {
  readonly at: number;
  readonly body: PersonEventBody;
  /**
   * What may be said once only: the same `subject` of the same type is refused the second time (a decision on one
   * request); null for what may be said often (a steer).
   */
  readonly subject: string | null;
}

export type AppendResult =
  /** Durable. The events stand at `firstSeq` and the places after it, without gaps. */
  | { readonly kind: 'appended'; readonly firstSeq: number }
  /** Nothing was written: another owner drives the run. */
  | { readonly kind: 'lease-lost' };

export type PersonAppendResult =
  | { readonly kind: 'appended'; readonly seq: number }
  /** Somebody was first: the event that won. */
  | { readonly kind: 'already'; readonly winner: JournalEvent };

export type LeaseResult =
  | { readonly kind: 'taken'; readonly lease: Lease }
  /** Somebody else drives the run and is, or must be presumed, alive. */
  | { readonly kind: 'held'; readonly owner: LeaseOwner; readonly why: string }
  /** Its owner is dead, and the caller has not said that what it started is ended: the lease is not taken. */
  | { readonly kind: 'dead'; readonly owner: LeaseOwner };

export type LeaseWrest =
  | { readonly kind: 'wrested' }
  /** The owner is seen to be alive. */
  | { readonly kind: 'held'; readonly owner: LeaseOwner; readonly why: string }
  /** The owner is dead, and the caller has not said that what it started is seen to: nothing was changed. */
  | { readonly kind: 'dead' }
  /** It is no longer this owner's. */
  | { readonly kind: 'changed' };

export interface JournalWriter {
  /** Creates the run, its lease and its first events in one transaction. */
  createRun(runId: RunId, events: readonly NewEvent[], blobs: readonly NewBlob[]): Promise<Lease>;
  /** Appends events with the blobs they name, whole or not at all, and resolves once they are synced. */
  append(lease: Lease, events: readonly NewEvent[], blobs: readonly NewBlob[]): Promise<AppendResult>;
  /** Appends without a lease. Also marks nothing as read: the driver finds it when it folds up to head. */
  appendPerson(runId: RunId, event: NewPersonEvent, blobs: readonly NewBlob[]): Promise<PersonAppendResult>;
  /** Takes the lease of an existing run when nobody holds it, or when its owner is `cleared`: dead, with all it started. */
  takeLease(runId: RunId, cleared?: LeaseOwner): Promise<LeaseResult>;
  /**
   * On a person's word takes the lease from an owner that is not seen to live, and journals that; then nobody holds it. From
   * one that is dead only when it is `cleared` too.
   */
  wrestLease(runId: RunId, owner: LeaseOwner, event: NewPersonEvent, cleared?: LeaseOwner): Promise<LeaseWrest>;
  /** Makes a copied store one of its own. Until then it can be read, and none of its runs driven. */
  adoptStore(): Promise<void>;
  releaseLease(lease: Lease): Promise<void>;
  /** Ends the worker after everything queued is durable, and moves the write-ahead log into the database. */
  close(): Promise<void>;
}

/** One row of the run list. */
export interface RunSummary {
  readonly runId: RunId;
  readonly title: string;
  readonly workspace: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly events: number;
  readonly outcome: RunOutcome | null;
  /** It came out of a file and nobody has adopted it yet. */
  readonly imported: boolean;
  /** It was forked or adopted, and nobody has driven it since. */
  readonly ready: boolean;
  /** The owner of an unreleased lease, whether that process is alive, and whether that was seen or is only presumed. */
  readonly owner: { readonly pid: number; readonly alive: boolean; readonly certain: boolean } | null;
}

/** One line of a trace, written in the same transaction as its event and rebuildable from it. */
export interface TraceRow {
  readonly seq: number;
  readonly agentId: string;
  readonly step: number;
  readonly call: number | null;
  readonly type: string;
  readonly at: number;
  readonly summary: string;
}

/** One judged act, as policy previews and simulations read it. */
export interface ActRow {
  readonly seq: number;
  readonly agentId: string;
  readonly step: number;
  readonly call: number;
  readonly act: string;
  readonly target: string;
  readonly effect: string;
  readonly rule: string | null;
  readonly layer: string;
}

export interface JournalReader {
  /** The events of a run after `afterSeq`, in order, at most `limit`. */
  readEvents(runId: RunId, afterSeq?: number, limit?: number): JournalEvent[];
  /** All events of these types in a run, in order. */
  readEventsOf(runId: RunId, types: readonly EventType[]): JournalEvent[];
  /** Who holds the run's lease, dead or alive; null while nobody does. */
  readOwner(runId: RunId): LeaseOwner | null;
  /** Whether an owner lives, as far as that can be told from here. */
  readOwnerLife(owner: LeaseOwner): OwnerLife;
  /** Whether the run is still this lease's. Cheap enough to ask before every effect. */
  isHeld(lease: Lease): boolean;
  /** The last sequence number of a run; 0 for an unknown one. Cheap enough to ask before every effect. */
  readHead(runId: RunId): number;
  /** The readable bytes. Throws `blob-missing`. */
  readBlob(hash: BlobHash): Uint8Array;
  /** The original bytes: unsealed where the readable form is masked. Throws `blob-missing`. */
  readOriginal(hash: BlobHash): Uint8Array;
  /** Of these contents those that are stored with nothing masked, in one question; the others are asked for one by one. */
  readContents(hashes: readonly BlobHash[]): ReadonlyMap<BlobHash, Uint8Array>;
  listRuns(limit?: number): RunSummary[];
  readTrace(runId: RunId, afterSeq?: number, limit?: number): TraceRow[];
  readActs(runId: RunId, afterSeq?: number, limit?: number): ActRow[];
  /**
   * Events after `afterSeq` in batches, then new ones as they come, from whichever process they come. The doorbell only
   * says "look": a slow reader costs one cursor and nothing else. Ends when `signal` aborts or the journal is closed.
   */
  watch(runId: RunId, afterSeq: number, signal: AbortSignal): AsyncIterable<JournalEvent[]>;
  close(): void;
}

/** An open journal. Closing it closes its reader and its writer; it can be closed twice. */
export interface Journal {
  readonly reader: JournalReader;
  readonly writer: JournalWriter;
  /** For whoever looks after the store rather than after a run. */
  readonly keeper: StoreKeeper;
  close(): Promise<void>;
}
