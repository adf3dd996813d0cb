// Starts a program of the system that stays and is talked to. It never keeps this process alive; when this process is gone
// it reads the end of what it was told, and whoever starts it ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface HelperProgram {
  /** An absolute program path and its arguments; nothing goes through a shell. */
  readonly argv: readonly [string, ...string[]];
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface StartedHelper {
  readonly input: Writable;
  /** Ends when the helper has ended, and at once for one that could not be started. */
  readonly output: Readable;
  end(): void;
}

/** Null where this process has no descriptor left to talk to it by. */
export function startHelper({ argv: [file, ...rest], environment }: HelperProgram): StartedHelper | null {
  const child: ChildProcess = spawn(file, rest, {
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const { stdin, stdout } = child;
  // Whoever waits for what it says learns of it there.
  child.on('error', () => undefined);
  if (!stdin || !stdout) return null;
  for (const stream of [stdin, stdout]) stream.on('error', () => undefined);
  for (const handle of [child, stdin, stdout]) letGo(handle);
  return {
    input: stdin,
    output: stdout,
    end() {
      child.kill('SIGKILL');
      for (const stream of [stdin, stdout]) stream.destroy();
    },
  };
}

function letGo(handle: object): void {
  if ('unref' in handle && typeof handle.unref === 'function') handle.unref();
}
