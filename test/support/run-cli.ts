// The command line as a user starts it: a process of its own, from source, with an environment that holds nothing but what
// the test gives it.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const entry = join(import.meta.dirname, '../../src/cli/index.ts');

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** What standard input holds. */
  readonly input?: string;
  /** Drops to this user and group. */
  readonly userId?: number;
  /** The entry file, where the caller has made a copy of the engine. */
  readonly entry?: string;
}

export interface CliEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of `--json` output; what it holds depends on `type`. */
export type JsonLine = Readonly<Record<string, unknown>>;

export interface RunningCli extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with the first line of standard output for which this holds, past ones included; rejects at the end. */
  untilLine(isWanted: (line: string) => boolean): Promise<string>;
  /** As if whoever read its standard output had gone. */
  closeOutput(): void;
  kill(signal: NodeJS.Signals): void;
  readonly end: Promise<CliEnd>;
}

/** Starts `io-studio` with `args`. Disposing it kills it if it still runs. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, [options.entry ?? entry, ...args], {
    cwd: options.directory ?? '/',
    env: { ...cleanEnvironment, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.userId === undefined ? {} : { uid: options.userId, gid: options.userId }),
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const output = collect(child);
  return {
    pid: child.pid ?? 0,
    untilLine: output.untilLine,
    closeOutput: () => void child.stdout.destroy(),
    kill: (signal) => void child.kill(signal),
    end: output.end,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await output.end;
    },
  };
}

/** What a process of a test needs to start, and the mark by which a test run finds what outlived it. */
export const cleanEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  HOME: '/nonexistent',
  IO_STUDIO_TEST_RUN: process.env.IO_STUDIO_TEST_RUN ?? '',
};

/** Runs `io-studio` with `args` to its end. */
export const runCli = (args: readonly string[], options?: CliOptions): Promise<CliEnd> => startCli(args, options).end;

/** The lines of `--json` output, each parsed. Throws at the first that is not JSON. */
export function parseLines(stdout: string): JsonLine[] {
  if (stdout !== '' && !stdout.endsWith('\n')) throw new SyntaxError('The last line is not complete');
  return stdout.split('\n').slice(0, -1).map(parseLine);
}

export function parseLine(line: string): JsonLine {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new SyntaxError(`Not an object: ${line}`);
  return { ...value };
}

function collect(child: ChildProcessByStdio<Writable, Readable, Readable>) {
  let stdout = '';
  let stderr = '';
  const looking = new Set<() => void>();
  const tell = () => {
    for (const look of looking) look();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    tell();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  let ended = false;
  const end = once(child, 'close').then((): CliEnd => {
    ended = true;
    tell();
    return { exitCode: child.exitCode, signal: child.signalCode, stdout, stderr };
  });
  const untilLine = (isWanted: (line: string) => boolean) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = stdout.split('\n').slice(0, -1).find(isWanted);
        if (found === undefined && !ended) return;
        looking.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`It ended without that line.\n${stdout}\n${stderr}`));
      };
      looking.add(look);
      look();
    });
  return { end, untilLine };
}
