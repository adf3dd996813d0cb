// The one place that starts a child process which outlives the call. The child gets exactly the environment and the
// descriptors it is given, no input but what it is promised, and a process group of its own. Whoever starts it ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { type OutputPipe, openOutputPipe } from './output-pipe.ts';

export interface ChildProgram {
  /** An absolute program path and its arguments; nothing goes through a shell. */
  readonly argv: readonly [string, ...string[]];
  readonly directory: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Taken before the program is loaded, supplementary groups given up with it; null: those of the engine. */
  readonly identity: { readonly uid: number; readonly gid: number } | null;
  /** What the child finds at descriptor 3 and on: a descriptor of ours, or one end of a channel. */
  readonly descriptors: readonly (number | 'channel')[];
}

/** Our end of a descriptor that the child was given. */
export type ChildChannel = Duplex;

/** How the program that was started ended, as the system reports it. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface StartedChild {
  readonly kind: 'started';
  readonly pid: number;
  /** Null where it has no input. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Of the descriptors that are channels, in their order. */
  readonly channels: readonly ChildChannel[];
  readonly exited: Promise<ChildExit>;
  /** When it has exited and whoever still held its output has let go of it. */
  readonly closed: Promise<void>;
  isAlive(): boolean;
  /** Closes our ends of everything; what the child writes then is lost. */
  release(): void;
}

/** One that this process itself has started. */
export interface StartedProgram extends StartedChild {
  /** Whether this process may end while the child runs; not before anything is said. */
  holdOpen(isHeld: boolean): void;
}

/** Starts one program; never rejects for what the program or the system does. */
export async function startChild(
  program: ChildProgram,
  input: 'none' | 'pipe' = 'none',
): Promise<StartedProgram | StartFailed> {
  const pipes = [await openOutputPipe(), await openOutputPipe()] as const;
  const child = spawnChild(program, pipes, input);
  for (const pipe of pipes) if (pipe !== null) closeSync(pipe.writeEnd);
  // From here to the return nothing is waited for: until then the child cannot have been reaped.
  if (!('reason' in child)) {
    const [stdout, stderr] = [pipes[0]?.stream ?? child.stdout, pipes[1]?.stream ?? child.stderr];
    const { pid } = child;
    if (pid !== undefined && stdout !== null && stderr !== null) return follow(child, { pid, stdout, stderr });
  }
  for (const pipe of pipes) pipe?.stream.destroy();
  return { kind: 'failed', reason: 'reason' in child ? child.reason : await readFailure(child, program.directory) };
}

export interface StartFailed {
  readonly kind: 'failed';
  readonly reason: string;
}

interface Running {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

function follow(child: ChildProcess, { pid, stdout, stderr }: Running): StartedProgram {
  const channels = child.stdio.slice(3).filter(isChannel);
  const exited = new Promise<ChildExit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const ends = [child, stdout, stderr].map(
    (each) => new Promise<void>((resolve) => each.once('close', () => resolve())),
  );
  // A pipe that breaks ends its output and nothing else.
  const { stdin } = child;
  const streams = [...(stdin === null ? [] : [stdin]), stdout, stderr, ...channels];
  for (const stream of streams) stream.on('error', () => undefined);
  return {
    kind: 'started',
    pid,
    stdin,
    stdout,
    stderr,
    channels,
    exited,
    closed: Promise.all(ends).then(() => undefined),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    release() {
      for (const stream of streams) stream.destroy();
    },
    holdOpen(isHeld) {
      for (const each of [child, ...streams.filter((stream) => stream instanceof Socket)]) {
        if (isHeld) each.ref();
        else each.unref();
      }
    },
  };
}

function spawnChild(
  program: ChildProgram,
  [stdout, stderr]: readonly [OutputPipe | null, OutputPipe | null],
  input: 'none' | 'pipe',
): ChildProcess | { readonly reason: string } {
  const [file, ...rest] = program.argv;
  const descriptors = program.descriptors.map((each) => (each === 'channel' ? 'pipe' : each));
  try {
    return spawn(file, rest, {
      cwd: program.directory,
      env: { ...program.environment },
      stdio: [
        input === 'pipe' ? 'pipe' : 'ignore',
        stdout?.writeEnd ?? 'pipe',
        stderr?.writeEnd ?? 'pipe',
        ...descriptors,
      ],
      detached: true,
      ...program.identity,
    });
  } catch (error) {
    return { reason: toReason(error) };
  }
}

async function readFailure(child: ChildProcess, directory: string): Promise<string> {
  const [error] = await once(child, 'error');
  // Where the process has no descriptor left there are no streams either, whatever the types say.
  for (const stream of child.stdio ?? []) stream?.destroy();
  // The system reports a missing directory as a missing program.
  return existsSync(directory) ? toReason(error) : `there is no directory ${directory}`;
}

function isChannel(stream: unknown): stream is Duplex {
  return typeof stream === 'object' && stream !== null && 'read' in stream && 'write' in stream;
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
