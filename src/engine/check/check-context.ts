// What every kind of check may use: reading a file of the workspace, and running a command in the sandbox. Nothing else,
// so no check can touch what the guard would not let it see.
import type { FileRead } from '../guard/guard.ts';
import { defaultLimits, type Sandbox, type SandboxResult } from '../sandbox/sandbox.ts';

export interface CheckContext {
  readonly sandbox: Sandbox;
  /** Absolute path. */
  readonly workspace: string;
  /** Reads a regular file by its path relative to the workspace. */
  readonly readFile: (path: string) => Promise<FileRead>;
  readonly signal: AbortSignal;
}

/** Runs one command under the default limits and an environment that holds nothing of ours. */
export function runInSandbox(
  context: CheckContext,
  argv: readonly [string, ...string[]],
  directory: string,
): Promise<SandboxResult> {
  return context.sandbox.run({ argv, directory, environment: {}, limits: defaultLimits }, context.signal);
}
