// What lay at a path as the journal keeps it: enough to recognise it, and where its content is to be had.
import type { BlobHash } from '../../../shared/id.ts';
import { hashBytes } from '../../journal/create-blob.ts';
import type { ChangedEntry } from '../../sandbox/sandbox.ts';

export type RecordedEntry =
  | {
      readonly kind: 'file';
      readonly hash: BlobHash;
      /** Null where the change left the permissions as they were. */
      readonly mode: number | null;
      /** Throws `blob-missing`. */
      readonly read: () => Uint8Array;
    }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

/** Whether two records, or a record and what lies there now, are about the same thing; null: nothing. */
export function isSameEntry(left: RecordedEntry | null, right: RecordedEntry | null): boolean {
  if (left === null || right === null) return left === right;
  switch (left.kind) {
    case 'file':
      return right.kind === 'file' && left.hash === right.hash && isSameMode(left.mode, right.mode);
    case 'link':
      return right.kind === 'link' && left.target === right.target;
    case 'directory':
      return right.kind === 'directory' && left.mode === right.mode;
  }
}

/** What is there now, in the terms of the journal. */
export function toRecordedEntry(entry: ChangedEntry | null): RecordedEntry | null {
  if (entry?.kind !== 'file') return entry;
  const { bytes, mode } = entry;
  return { kind: 'file', hash: hashBytes(bytes), mode, read: () => bytes };
}

const isSameMode = (left: number | null, right: number | null): boolean =>
  left === null || right === null || left === right;
