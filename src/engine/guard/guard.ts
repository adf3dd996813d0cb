// The one door for acts. A tool says what it needs; the guard resolves and judges it, and hands out the only handles with
// which a tool can touch the workspace. Handles judge again what becomes known only inside.
import type { ActKind, DeclaredAct, Verdict } from '../../shared/act.ts';
import type { BlobHash } from '../../shared/id.ts';

/** A directory by what it is, not by what it is called. The numbers are decimal digits: they may pass 2 to the 53rd. */
export interface WorkspaceIdentity {
  /** The real path. */
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

/** An act after the file system was asked where its target really lies. */
export interface ResolvedAct {
  readonly kind: ActKind;
  /** Relative to the workspace, `/`-separated, without `.` and `..` in it; `.` is the workspace itself. */
  readonly target: string;
  /** The same after links, when that differs; null where it leaves the workspace or cannot be told. */
  readonly real: string | null;
}

export interface JudgedAct {
  readonly act: ResolvedAct;
  readonly verdict: Verdict;
}

/** A regular file's content and identity, read through one descriptor. */
export interface FileContent {
  /** Where it really lies, relative to the workspace: one file has one path here, by whatever link it was reached. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly hash: BlobHash;
  /** Permission bits. */
  readonly mode: number;
}

export type FileRead =
  | { readonly kind: 'file'; readonly file: FileContent }
  /** `path` is where it would lie. */
  | { readonly kind: 'missing'; readonly path: string }
  /** Not a regular file, over the size limit, or not readable: `reason` is a sentence for the model. */
  | {
      readonly kind: 'unreadable';
      readonly reason: string;
      /** Its size, when only that stood in the way. */
      readonly tooLargeBytes?: number;
    };

export type FileReplaced =
  | { readonly kind: 'replaced' }
  /** The file is not what `before` says any more. `hash` is what is there now; null: nothing. */
  | { readonly kind: 'stale'; readonly hash: BlobHash | null }
  | { readonly kind: 'unwritable'; readonly reason: string };

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly bytes: number | null;
}

export interface SearchHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export type Search<Item> =
  | { readonly kind: 'found'; readonly items: readonly Item[]; readonly more: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

export interface GuardedFiles {
  /** What a file with this content would have for its hash. */
  hashOf(bytes: Uint8Array): BlobHash;
  /** Reads one regular file of at most `maxBytes`; the caller's act on it was judged already and is judged again here. */
  read(path: string, maxBytes: number): Promise<FileRead>;
  list(
    path: string,
  ): Promise<{ kind: 'listed'; entries: DirectoryEntry[]; more: boolean } | { kind: 'unreadable'; reason: string }>;
  /** Paths whose basename or relative path matches the glob; never a path whose read is denied. */
  find(glob: string, signal: AbortSignal): Promise<Search<string>>;
  grep(
    query: { pattern: string; path: string | null; glob: string | null },
    signal: AbortSignal,
  ): Promise<Search<SearchHit>>;
}

export interface Guard {
  /** The directory that is guarded, by identity; a resumed run compares it with where it started. */
  readonly workspace: WorkspaceIdentity;
  readonly policyHash: string;
  readonly files: GuardedFiles;
  /** Resolves and judges; touches nothing. */
  judge(act: DeclaredAct): Promise<JudgedAct>;
  /**
   * Replaces a file as a whole: temporary file beside it, fsync, rename, fsync of the directory; parents are created.
   * Refused when the content there is not `before`. Never called before the act was judged and, if asked, approved.
   */
  replace(path: string, before: BlobHash | null, after: Uint8Array): Promise<FileReplaced>;
  /**
   * The hash of what is at `path` now, for settling a change that a crash interrupted; null: nothing is there. Removes what
   * the dead process left beside it. Throws `workspace-unusable` where it cannot be told.
   */
  hash(path: string): Promise<BlobHash | null>;
  close(): void;
}
