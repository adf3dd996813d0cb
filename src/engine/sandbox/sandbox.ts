// The sandbox port: one command in, one typed result out. Which isolation was really applied is part of the result and
// is never what was merely intended; a command is never run again with less of it.
import type { Isolation } from '../policy/isolation.ts';
import type { CapturedOutput } from '../process/capture-output.ts';

export type { Isolation };

export interface SandboxLimits {
  readonly wallMs: number;
  /** Processor time of the whole tree. */
  readonly cpuMs: number | null;
  /** Memory of the whole tree, shared pages counted once. */
  readonly memoryBytes: number | null;
  /** Processes and threads that live at the same time. */
  readonly processes: number | null;
  /** Kept of each of stdout and stderr; what is over is dropped in the middle and counted. */
  readonly outputBytes: number;
  /** Written to stdout and stderr together before the command is ended. */
  readonly writtenBytes: number;
  /** Of one file. */
  readonly fileBytes: number | null;
  /** Everything written to the directory and to /tmp, each. */
  readonly diskBytes: number;
}

export interface BoxFile {
  /** Relative, without `.` and `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: 0o644 | 0o755;
}

/** Where a command works, and what becomes of what it writes there. */
export type SandboxDirectory =
  /** A directory that holds just these files and is gone afterwards, but for the regular files that are collected. */
  | { readonly mode: 'ephemeral'; readonly files: readonly BoxFile[]; readonly collect: readonly string[] }
  /** The workspace as it is. What the command writes lands beside it and comes back as changes that nobody has made yet. */
  | { readonly mode: 'staged'; readonly workspace: string; readonly hidden: readonly string[] }
  /** The workspace itself, as it is at each moment. */
  | {
      readonly mode: 'bound';
      readonly workspace: string;
      readonly hidden: readonly string[];
      /** Nothing in it can be written; kept by bubblewrap alone. */
      readonly isReadOnly?: boolean;
      /** Parts of it that are open or shut to writing, unlike what lies around them; kept by bubblewrap alone. */
      readonly covers?: readonly Cover[];
    };

/** A file or directory of a workspace, by its relative path, with all that lies in it. */
export interface Cover {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** What of the network a command reaches. */
export type SandboxNetwork =
  | { readonly kind: 'none' }
  /** What the proxy lets through that listens on this socket, and nothing else. */
  | { readonly kind: 'proxy'; readonly socket: string };

export interface SandboxSpec {
  /**
   * The program and its arguments. A bare name is resolved by the fixed directories of programs; an absolute path stands for
   * itself; a path that begins with `./` names a file of the directory that the command works in, wherever that lies inside.
   */
  readonly argv: readonly [string, ...string[]];
  readonly directory: SandboxDirectory;
  /** The whole environment the command gets, beside the fixed PATH, HOME and TMPDIR of the sandbox. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** None by default. */
  readonly network?: SandboxNetwork;
  /** For a command that is talked to while it runs; without it, it has no input. */
  readonly session?: SandboxSession;
}

/** Whoever talks to a running command. */
export interface SandboxSession {
  /** It runs now. Called at most once. */
  onStart(command: LiveCommand): void;
  /** Everything it writes to stdout and stderr, as it comes. */
  onOutput(bytes: Uint8Array): void;
}

/** Says nothing any more once the command has ended. */
export interface LiveCommand {
  /** Settles when it has been handed over, which may be never; `closed`: there is no input any more. */
  write(bytes: Uint8Array): Promise<'written' | 'closed'>;
  /** Ends its input. */
  closeInput(): void;
  /** Sends it to the command and to whatever came of it. */
  signal(name: NodeJS.Signals): void;
}

export type CapName = 'wall' | 'cpu' | 'memory' | 'processes' | 'output' | 'file' | 'disk';

/** A cap that was reached, and how exactly it is enforced: `polled` was seen by looking from time to time. */
export interface CapHit {
  readonly cap: CapName;
  readonly limit: number;
  /** What was seen when it was noticed. */
  readonly observed: number;
  readonly unit: 'ms' | 'bytes' | 'processes';
  readonly enforcement: 'kernel' | 'polled';
  /** Since the command began. */
  readonly atMs: number;
}

/** Head and tail of what was written, and how much between them was dropped. */
export type SandboxOutput = CapturedOutput;

/** Something at a path of the workspace, as a change leaves it. */
export type ChangedEntry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

/**
 * One path that a staged command left different. `before` is what lies in the workspace (null: nothing), `after` what the
 * command made of it (null: it removed it). Parents come before what lies in them; what is removed comes children first.
 */
export interface WorkspaceChange {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly before: ChangedEntry | null;
  readonly after: ChangedEntry | null;
}

/** A path whose change cannot be taken over, and why. */
export interface LostChange {
  readonly path: string;
  /** `conflict`: somebody else changed it meanwhile. `unfit`: a device, a socket, a name that is no text. */
  readonly kind: 'conflict' | 'unfit';
  readonly reason: string;
}

/** What a command left where it worked. */
export type Leavings =
  | { readonly kind: 'nothing' }
  /** The collected files that were there. */
  | { readonly kind: 'files'; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'changes'; readonly changes: readonly WorkspaceChange[]; readonly lost: readonly LostChange[] }
  /** More than is ever taken over; nothing of it was kept. */
  | { readonly kind: 'too-much'; readonly reason: string };

export interface Ran {
  readonly isolation: Isolation;
  readonly stdout: SandboxOutput;
  readonly stderr: SandboxOutput;
  readonly durationMs: number;
  /** Empty for a command that was ended from here: what it wrote until then is not taken over. */
  readonly leavings: Leavings;
  /** Processes that still ran when the wait for their end was given up; null where nobody can tell. */
  readonly survivors: number | null;
}

/** What is wrong when a command could not be started. */
export type StartStage = 'program' | 'directory' | 'toolchain' | 'launcher' | 'sandbox' | 'unavailable';

export type SandboxResult =
  | ({ readonly kind: 'exit'; readonly code: number } & Ran)
  /** A signal that nobody here sent and no cap explains, also one from outside. */
  | ({ readonly kind: 'signal'; readonly signal: string } & Ran)
  | ({ readonly kind: 'cap'; readonly hit: CapHit } & Ran)
  | ({ readonly kind: 'cancelled' } & Ran)
  /** Nothing ran: the program is missing or could not be started. Never to be read as "it failed". */
  | {
      readonly kind: 'not-started';
      readonly program: string;
      readonly stage: StartStage;
      readonly reason: string;
      /** What a person can do about it. */
      readonly advice?: string;
    };

export interface Sandbox {
  /** What commands are enclosed by here; null when none may run. */
  readonly isolation: Isolation | null;
  run(spec: SandboxSpec, signal: AbortSignal): Promise<SandboxResult>;
}

export const defaultLimits: SandboxLimits = {
  wallMs: 120_000,
  cpuMs: 240_000,
  memoryBytes: 4 * 1024 ** 3,
  processes: 512,
  outputBytes: 256 * 1024,
  writtenBytes: 64 * 1024 ** 2,
  fileBytes: 1024 ** 3,
  diskBytes: 1024 ** 3,
};
