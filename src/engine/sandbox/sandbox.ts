// The sandbox port: one command in, one typed result out. Which isolation was really applied is part of the result and
// is never what was merely intended.
import type { CapturedOutput } from '../process/capture-output.ts';

/** How strongly a backend encloses a command; `none` is the portable floor: caps, but no boundary. */
export type Isolation = 'none';

export interface SandboxLimits {
  readonly wallMs: number;
  readonly cpuSeconds: number | null;
  /** Resident memory of the whole tree. */
  readonly memoryBytes: number | null;
  /** Each of stdout and stderr; what is over is dropped in the middle and counted. */
  readonly outputBytes: number;
  readonly fileBytes: number | null;
}

export interface SandboxSpec {
  /** An absolute program path or a bare name, which the fixed system directories resolve; and its arguments. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path; the command's current directory. */
  readonly directory: string;
  /** The whole environment the command gets, beside the fixed PATH and HOME of the sandbox. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
}

/** The cap that ended a command, and how exactly it was enforced. */
export interface CapHit {
  readonly cap: 'wall' | 'cpu' | 'memory' | 'file';
  readonly enforcement: 'kernel' | 'polled';
}

/** Head and tail of what was written, and how much between them was dropped. */
export type SandboxOutput = CapturedOutput;

interface Ran {
  readonly isolation: Isolation;
  readonly stdout: SandboxOutput;
  readonly stderr: SandboxOutput;
  readonly durationMs: number;
}

export type SandboxResult =
  | ({ readonly kind: 'exit'; readonly code: number } & Ran)
  | ({ readonly kind: 'signal'; readonly signal: string } & Ran)
  | ({ readonly kind: 'cap' } & CapHit & Ran)
  | ({ readonly kind: 'cancelled' } & Ran)
  /** Nothing ran: the program is missing or could not be started. Never to be read as "it failed". */
  | { readonly kind: 'not-started'; readonly program: string; readonly reason: string };

export interface Sandbox {
  readonly isolation: Isolation;
  run(spec: SandboxSpec, signal: AbortSignal): Promise<SandboxResult>;
}

export const defaultLimits: SandboxLimits = {
  wallMs: 120_000,
  cpuSeconds: 60,
  memoryBytes: 2 * 1024 ** 3,
  outputBytes: 256 * 1024,
  fileBytes: null,
};
