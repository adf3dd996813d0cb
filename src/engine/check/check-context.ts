// What every kind of check may use: reading a file of the workspace, and running a command in the sandbox. Nothing else,
// so no check can touch what the guard would not let it see.
import type { FileRead } from '../guard/guard.ts';
import { type BoxFile, defaultLimits, type Sandbox, type SandboxResult } from '../sandbox/sandbox.ts';

export interface CheckContext {
  readonly sandbox: Sandbox;
  /** Absolute path. */
  readonly workspace: string;
  /** Reads a regular file by its path relative to the workspace. */
  readonly readFile: (path: string) => Promise<FileRead>;
  /** What of the workspace no command may see, as relative paths. */
  readonly hidden: () => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}

/** A directory of a gate's own: what a command finds there, and what is taken from there when it has ended by itself. */
export interface Box {
  readonly files: readonly BoxFile[];
  readonly collect?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs one command among the files of a box alone, under an environment that holds nothing of ours. */
export function runInBox(
  { sandbox, signal }: CheckContext,
  argv: readonly [string, ...string[]],
  { files, collect = [], environment = {} }: Box,
): Promise<SandboxResult> {
  return sandbox.run(
    { argv, directory: { mode: 'ephemeral', files, collect }, environment, limits: boxLimits },
    signal,
  );
}

/** What a gate makes and takes out is held in memory: no file of it may be larger than this. */
const boxLimits = { ...defaultLimits, fileBytes: 128 * 1024 ** 2 };

/** Runs one command in the workspace. What it changes there is told and never made. */
export async function runInWorkspace(
  { sandbox, workspace, hidden, signal }: CheckContext,
  argv: readonly [string, ...string[]],
): Promise<SandboxResult> {
  const directory = { mode: 'staged', workspace, hidden: await hidden() } as const;
  return sandbox.run({ argv, directory, environment: {}, limits: defaultLimits }, signal);
}
