// How a backend and the supervisor meet. A backend says what to start and how to look at what runs; the supervisor starts
// it, holds it to its limits and sees it gone. Neither knows the inside of the other.
import type { ChildChannel, ChildExit, StartedChild, StartFailed } from '../process/start-child.ts';
import type { Isolation, Leavings, SandboxLimits, SandboxSpec, StartStage } from './sandbox.ts';

export interface Backend {
  readonly isolation: Isolation;
  /** Makes everything ready for one command and starts nothing. The caller disposes of the launch, on every path. After an abort either may come. */
  prepare(spec: SandboxSpec, signal: AbortSignal, staging?: StagingWay): Promise<Launch | StartFailure>;
}

/** How a staged command gets a workspace that it can write to; a backend that knows only one way takes that. */
export type StagingWay = 'overlay' | 'copy';

/** Nothing was started, and why not. */
export interface StartFailure {
  readonly kind: 'not-started';
  readonly stage: StartStage;
  readonly reason: string;
  readonly advice?: string;
  /** Its file system takes no overlay, but a copy of the workspace would do. */
  readonly tryCopy?: true;
}

export interface Launch extends AsyncDisposable {
  readonly kind: 'launch';
  /** Starts the first program of the chain. Never rejects for what the system does. Called once. */
  start(input: 'none' | 'pipe'): Promise<StartedChild | StartFailed>;
  /** What its processes bear and nobody else's do: a user of their own, a word in their environment. Null for none. */
  readonly bears: {
    readonly uid: number | null;
    readonly mark: string | null;
    /** The directory of a control group of their own. */
    readonly controlGroup?: string | null;
  };
  /** Which caps the kernel itself keeps to the byte or the process. */
  readonly keptByKernel: ReadonlySet<keyof SandboxLimits>;
  /** Sees the command begin. Never rejects; after an abort it may resolve either way. */
  begin(child: StartedChild, signal: AbortSignal): Promise<Begun | StartFailure>;
  /** What the command left where it worked. Called once, after it ended by itself and nothing of it runs any more. */
  readLeavings(): Promise<Leavings>;
}

export interface Begun {
  readonly kind: 'begun';
  readonly tree: SandboxTree;
  /** How the command itself ended, told from how the program that was started did. Never rejects; bounded. */
  toEnd(exit: ChildExit): PayloadEnd | Promise<PayloadEnd>;
  /** Sends it to the command and whatever came of it; absent where nobody can tell those from what started them. */
  signal?(name: NodeJS.Signals): void;
}

export type PayloadEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | StartFailure;

/** The processes of one command. Every member is known by number and start together; no call ever touches another. */
export interface SandboxTree {
  /** What the members use now; null when none is left. */
  measure(): TreeUsage | null;
  /** Ends every member without asking. Called until `isGone`. */
  kill(): void;
  isGone(): boolean;
  /** Also when none is left. Absent where the kernel keeps no cap of all members together. */
  readRefusals?(): Refusals;
}

/**
 * Of each cap that the kernel keeps of all members together: how much they held when it let them have no more, null where it
 * has not refused anything, absent where it does not say.
 */
export interface Refusals {
  readonly memoryBytes?: number | null;
  readonly processes?: number | null;
}

export interface TreeUsage {
  /** Processes and threads that have not ended, as the kernel's own limit counts them. */
  readonly processes: number;
  /** Of members and of children they have waited for. */
  readonly cpuMs: number;
  /** Never under the truth: shared pages count for each process that maps them. */
  readonly memoryUpperBytes: number;
  /** Shared pages counted once; costs more to read. What is over `enoughBytes` need not be exact. */
  exactMemoryBytes(enoughBytes: number): number;
  /** Of the fullest of the size-capped file systems that the command writes to; null where there are none. */
  readonly disk: { readonly usedBytes: number; readonly isFull: boolean } | null;
}

export type { ChildChannel, ChildExit, StartedChild };
