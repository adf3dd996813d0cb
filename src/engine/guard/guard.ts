// The one door for acts. A tool says what it needs; the guard resolves and judges it, and hands out the only handles with
// which a tool can touch the workspace. Handles judge again what becomes known only inside.
import type { DeclaredAct, JudgedAct } from '../../shared/act.ts';
import type { NamedFile } from '../../shared/approval.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { Stance } from '../policy/policy.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';

/** A directory by what it is, not by what it is called. The numbers are decimal digits: they may pass 2 to the 53rd. */
export interface WorkspaceIdentity {
  /** The real path. */
  readonly path: string;
  readonly device: string;
  readonly inode: string;
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
  /** The place has become one that somebody must be asked about, or that is denied: nothing was written. */
  | { readonly kind: 'unpermitted'; readonly because: string }
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

export interface CommandOptions {
  readonly line: string;
  readonly wallMs: number;
  /** Calls a person or the policy has cleared may hold acts that ask; a denial is never cleared. */
  readonly permitted: 'allow' | 'ask';
}

export type CommandEnd =
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'ran'; readonly result: SandboxResult };

export interface GuardedCommands {
  /** Judges the line again, and runs it in the sandbox with the workspace for its directory. */
  run(options: CommandOptions, signal: AbortSignal): Promise<CommandEnd>;
  /** Names, never values, of the variables a command gets. */
  readonly environmentNames: readonly string[];
}

export interface ReplaceOptions {
  /** The content that was seen there; null: nothing was. */
  readonly before: BlobHash | null;
  readonly after: Uint8Array;
  /** `ask`: somebody said yes, so a verdict that asks does not stop it. A denial always does. */
  readonly permitted: 'allow' | 'ask';
}

export interface Guard {
  /** The directory that is guarded, by identity; a resumed run compares it with where it started. */
  readonly workspace: WorkspaceIdentity;
  /**
   * Resolves and judges; touches nothing. A command line comes back as every command, operand and redirect in it; a call may
   * be made only when each of them may.
   */
  judge(act: DeclaredAct, stance: Stance): Promise<readonly [JudgedAct, ...JudgedAct[]]>;
  /**
   * Handles that judge by `stance` what becomes known only inside: each file that a search opens, each link. `ask`: somebody
   * said yes to the call, so that a place whose reading asks may be read.
   */
  files(stance: Stance, permitted: 'allow' | 'ask'): GuardedFiles;
  commands(stance: Stance): GuardedCommands;
  /**
   * Replaces a file as a whole: temporary file beside it, fsync, rename, fsync of the directory; parents are created.
   * Refused when the content there is not `before`. Never called before the act was judged and, if asked, approved.
   */
  replace(path: string, options: ReplaceOptions, stance: Stance): Promise<FileReplaced>;
  /**
   * The hash of what is at `path` now, for settling a change that a crash interrupted; null: nothing is there. Removes what
   * the dead process left beside it. Throws `workspace-unusable` where it cannot be told.
   */
  hash(path: string): Promise<BlobHash | null>;
  /** The files that judged acts depend on, as they are now: what would be written, programs, operands of commands. */
  fingerprint(acts: readonly JudgedAct[]): Promise<NamedFile[]>;
  close(): void;
}
