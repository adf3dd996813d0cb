// What people are told about their store. Sizes are in bytes as stored, unless they say otherwise.
import type { RunId } from '../../../shared/id.ts';

export interface StoreStats {
  readonly file: string;
  readonly fileBytes: number;
  /** The write-ahead log beside it. */
  readonly logBytes: number;
  /** Pages of the file that hold nothing and will be used again. */
  readonly freeBytes: number;
  /** Null: there is none. */
  readonly quotaBytes: number | null;
  readonly eventBytes: number;
  readonly sealedBytes: number;
  /** Contents by where they came from, each counted once. */
  readonly blobs: readonly OriginSize[];
  /** Contents that more than one run names; they are part of `blobs`. */
  readonly shared: ContentSize;
  /** Contents that no event names: the next pruning deletes them. */
  readonly unnamed: ContentSize;
  readonly runs: readonly RunSize[];
}

export interface ContentSize {
  readonly count: number;
  readonly bytes: number;
}

export interface OriginSize extends ContentSize {
  readonly origin: string;
}

export interface RunSize {
  readonly runId: RunId;
  readonly title: string;
  readonly events: number;
  readonly eventBytes: number;
  /** Contents that no other run names, with sealed originals. */
  readonly ownBytes: number;
  /** Contents that others name too. */
  readonly sharedBytes: number;
}

export interface PruneReport {
  readonly isDryRun: boolean;
  readonly removed: readonly RunId[];
  readonly kept: readonly KeptRun[];
  readonly events: number;
  readonly blobs: number;
  /** What was freed; of a dry run, what would be at least. */
  readonly bytes: number;
  /** What the store takes up now, without free pages. */
  readonly usedBytes: number;
}

export interface KeptRun {
  readonly runId: RunId;
  readonly why: string;
}

export type FaultKind = 'page' | 'schema' | 'reference' | 'blob' | 'original' | 'event' | 'fold' | 'projection';

export interface StoreFault {
  readonly kind: FaultKind;
  /** Null: of the store as a whole. */
  readonly runId: RunId | null;
  readonly what: string;
  readonly remedy: string;
}

export interface VerifyReport {
  readonly file: string;
  readonly runs: number;
  readonly events: number;
  readonly blobs: number;
  /** Masked contents whose original was never here: they came with an import. */
  readonly withoutOriginal: number;
  /** At most a hundred. */
  readonly faults: readonly StoreFault[];
  readonly isTruncated: boolean;
  /** Runs whose projections were made again. */
  readonly rebuilt: readonly RunId[];
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly runs: number;
  readonly events: number;
  /** Null: it was not asked for, or there is none. */
  readonly keyFile: string | null;
}

export interface ExportReport {
  readonly runId: RunId;
  readonly file: string;
  readonly bytes: number;
  readonly events: number;
  readonly blobs: number;
  /** Masked contents that went without their original. */
  readonly leftOut: number;
  /** Where the key of the originals was written; null: none went along. */
  readonly keyFile: string | null;
}

export interface ImportReport {
  readonly runId: RunId;
  readonly title: string;
  readonly events: number;
  readonly blobs: number;
  readonly withoutOriginal: number;
}
