// The one door for acts. A tool says what it needs; the guard resolves and judges it, and hands out the only handles with
// which a tool can touch the workspace. Handles judge again what becomes known only inside.
import type { DeclaredAct, JudgedAct } from '../../shared/act.ts';
import type { NamedFile } from '../../shared/approval.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { EgressAttempt } from '../net/egress-proxy/egress-proxy.ts';
import type { Stance } from '../policy/policy.ts';
import type { ChangedEntry, SandboxResult, SandboxSession, WorkspaceChange } from '../sandbox/sandbox.ts';

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
  /** Those of the paths that may be read; whether something lies there makes no difference. */
  readable(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Paths whose basename or relative path matches the glob; never a path whose read is denied. */
  find(glob: string, signal: AbortSignal): Promise<Search<string>>;
  grep(
    query: { pattern: string; path: string | null; glob: string | null },
    signal: AbortSignal,
  ): Promise<Search<SearchHit>>;
}

/** What is to run. */
export type Command =
  /** A line for bash. */
  | { readonly line: string }
  /** A program and its arguments, which no shell sees. */
  | { readonly argv: readonly [string, ...string[]] }
  | { readonly git: GitCommand };

/** A command of git itself, held back from running what the repository names. */
export interface GitCommand {
  /** What is judged: the act that this is, or that it is a part of. */
  readonly act: readonly [string, ...string[]];
  /** The command and its options, with nothing in them that could be taken for another option. */
  readonly words: readonly [string, ...string[]];
  /** The files and directories it is about, each by exactly this path. */
  readonly paths?: readonly string[];
  /** What it leaves alone. */
  readonly without?: readonly string[];
  /** In whose name; without it, in that which the repository gives. */
  readonly author?: 'person';
}

export interface CommandOptions {
  readonly command: Command;
  readonly wallMs: number;
  /** Calls a person or the policy has cleared may hold acts that ask; a denial is never cleared. */
  readonly permitted: 'allow' | 'ask';
  /** Whether it may be given a way to the network, as `opensNetwork` has said; without it there is none. */
  readonly network?: boolean;
  /** For a command that goes on running. It works in the workspace itself, as that is at each moment. */
  readonly process?: LastingProcess;
}

/** A command that is talked to while it runs. */
export interface LastingProcess {
  /** What a model and people call it. */
  readonly name: string;
  readonly session: SandboxSession;
  /**
   * What it may write in the workspace: nothing, what is allowed, or also what is asked about, where somebody has answered
   * all questions in advance. `opensWorkspace` has said whether there is any; nobody can tell afterwards who wrote it.
   */
  readonly writes: 'none' | 'allow' | 'ask';
  /** Called before it starts. */
  onWorkspace(workspace: BoundWorkspace): void;
}

/** How the rules about paths are kept for a command that works in the workspace itself. */
export interface PolicyEnforcement {
  /** So many paths are covered by mounts, with all that lies in them, and cannot be opened or written. */
  readonly masked: number;
  /** So many files and directories are compared when it has ended, and each one that is different is judged then. */
  readonly checkedAfter: number;
  /** What is kept by neither, each as a sentence or a path. */
  readonly uncovered: readonly string[];
}

/** The workspace as a process is given it. */
export interface BoundWorkspace {
  readonly access: 'read' | 'write';
  /** Why it cannot be written; null where it can. */
  readonly because: string | null;
  readonly policyEnforcement: PolicyEnforcement;
}

/** A path that is not as it was when the process began, whoever it was that changed it. */
export interface ProcessChange {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'removed';
  /** `aside`: it may not be there, and was put into the engine's home. `restored`: it is again what it was. */
  readonly became: 'kept' | 'aside' | 'restored' | 'left';
  /** Why it may not be written, and where that is so why it is there all the same; null for what may be. */
  readonly because: string | null;
}

/** The workspace as a process has left it. */
export interface LeftWorkspace extends BoundWorkspace {
  readonly changes: readonly ProcessChange[];
  /** Changes that are not told one by one; all of them may be written. */
  readonly untold: number;
  /** Where that lies which was put aside; null for nothing. */
  readonly shelf: string | null;
}

export type CommandEnd =
  | { readonly kind: 'refused'; readonly because: string }
  | {
      readonly kind: 'ran';
      readonly result: SandboxResult;
      /** Hosts that it did not get to, and why; the first of them. */
      readonly unreached: readonly string[];
      /** Of a process that has run. */
      readonly workspace?: LeftWorkspace;
    };

export interface GuardedCommands {
  /** Whether the command would be given a way to the network: nobody can tell afterwards what it has done there. */
  opensNetwork(command: Command, permitted: 'allow' | 'ask'): Promise<boolean>;
  /** Whether a process might be given the workspace to write to: nobody can tell afterwards what it has done there. */
  opensWorkspace(writes: 'allow' | 'ask'): boolean;
  /** Judges the command again, and runs it in the sandbox with the workspace for its directory. */
  run(options: CommandOptions, signal: AbortSignal): Promise<CommandEnd>;
  /** The workspace's real path, at which a command that nothing is copied for finds it too. */
  readonly directory: string;
  /** Names, never values, of the variables a command gets. */
  readonly environmentNames: readonly string[];
}

export type FetchEnd =
  /** Not dialled, or not connected to: by policy, or because nobody was asked about that host. */
  | { readonly kind: 'refused'; readonly because: string; readonly hops: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string; readonly hops: readonly string[] }
  | {
      readonly kind: 'fetched';
      /** Where it came from in the end. */
      readonly url: string;
      readonly status: number;
      /** As the server wrote it, with its parameters; empty where it said nothing. */
      readonly contentType: string;
      readonly bytes: Uint8Array;
      /** Bytes that came after those. At least so many: reading ends at a limit. */
      readonly droppedBytes: number;
      /** The URLs that led there, in their order. */
      readonly hops: readonly string[];
      /** As `ip:port`; null where a proxy looked the name up, so that only the name was judged. */
      readonly address: string | null;
    };

/** A host that a page was asked of, told when that is over. */
export type FetchHop = Omit<EgressAttempt, 'sentBytes' | 'receivedBytes'>;

export interface GuardedFetches {
  /**
   * Gets one page of http or https. Each redirect, and each address that a name comes to, is judged before it is connected
   * to; a yes holds only for the host and port that were asked about.
   */
  get(url: string, signal: AbortSignal): Promise<FetchEnd>;
}

export interface ReplaceOptions {
  /** The content that was seen there; null: nothing was. */
  readonly before: BlobHash | null;
  readonly after: Uint8Array;
  /** `ask`: somebody said yes, so a verdict that asks does not stop it. A denial always does. */
  readonly permitted: 'allow' | 'ask';
}

export interface ChangeOptions {
  /** `ask`: somebody said yes, so a verdict that asks does not stop it. A denial always does. */
  readonly permitted: 'allow' | 'ask';
  /** It cannot have been made before: another content that is there already is the work of somebody else. */
  readonly isFirstTry?: boolean;
}

export type ChangeMade =
  /** It is there now, or was already. */
  | { readonly kind: 'made' }
  /** What lies there is not what the change begins with. */
  | { readonly kind: 'stale' }
  /** The place is one that somebody must be asked about, or it or where a link would lead is denied: nothing was done. */
  | { readonly kind: 'unpermitted'; readonly because: string }
  | { readonly kind: 'unwritable'; readonly reason: string };

export type EntryRead =
  /** Null: nothing lies there. `names`: what lies in a directory. */
  | { readonly kind: 'entry'; readonly entry: ChangedEntry | null; readonly names: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string };

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
  /** `onAttempt` hears of each host that a command wanted to reach, before the command's end is told. */
  commands(stance: Stance, onAttempt?: (attempt: EgressAttempt) => void): GuardedCommands;
  /**
   * `ask`: somebody said yes to the call, so that the host it names may be dialled although that asks. `onHop` hears of each
   * host that a page was asked of, before the page's end is told.
   */
  fetches(stance: Stance, permitted: 'allow' | 'ask', onHop?: (hop: FetchHop) => void): GuardedFetches;
  /**
   * Replaces a file as a whole: temporary file beside it, fsync, rename, fsync of the directory; parents are created.
   * Refused when the content there is not `before`. Never called before the act was judged and, if asked, approved.
   */
  replace(path: string, options: ReplaceOptions, stance: Stance): Promise<FileReplaced>;
  /**
   * Relative paths of everything in the workspace that may not be read: a command must not find it there. What lies in a
   * directory of the list is not named. Throws `workspace-unusable` where not everything can be told.
   */
  hidden(stance: Stance): Promise<readonly string[]>;
  /**
   * Makes one change of a command: of a file, a directory or a link itself, never of what a link leads to. Nothing is done
   * when what lies there is not `before`, and making a change again is no harm. Never called before the act was judged and,
   * if asked, approved.
   */
  change(change: WorkspaceChange, options: ChangeOptions, stance: Stance): Promise<ChangeMade>;
  /** Why `change` would refuse, as far as that can be told before; null where it would not. Touches nothing. */
  foresee(change: WorkspaceChange, options: ChangeOptions, stance: Stance): Promise<string | null>;
  /**
   * What lies at `path` itself, for a person who puts something else there; an agent is shown none of it. A file of more than
   * `maxBytes` is not read.
   */
  entry(path: string, maxBytes: number): Promise<EntryRead>;
  /**
   * The hash of what is at `path` now, for settling a change that a crash interrupted; null: nothing is there. Removes what
   * the dead process left beside it. Throws `workspace-unusable` where it cannot be told.
   */
  hash(path: string): Promise<BlobHash | null>;
  /** Removes what dead processes left beside these paths while they wrote them. */
  tidy(paths: readonly string[]): Promise<void>;
  /** The files that judged acts depend on, as they are now: what would be written, programs, operands of commands. */
  fingerprint(acts: readonly JudgedAct[]): Promise<NamedFile[]>;
  close(): void;
}
