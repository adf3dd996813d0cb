// The only place that starts a child process. The child gets exactly the environment it is given, no input, and a process
// group of its own; when this resolves its whole tree has ended and its pipes are closed, however it came to its end.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { endProcessTree } from './end-process-tree.ts';
import type { ProcessEnd } from './process-end.ts';
import { followProcessTree, type ProcessTree, treeVariable } from './process-tree.ts';

/** How long written output is waited for: once when the child has ended, and again when its whole tree has. */
const drainMs = 250;

export interface SpawnProcessOptions {
  /** An absolute program path and its arguments; nothing goes through a shell. */
  readonly argv: readonly [string, ...string[]];
  readonly directory: string;
  /** The whole environment but for the mark of its tree; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly wallMs: number;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
  /** Called once, as soon as the child runs. */
  readonly onStart?: (tree: ProcessTree) => void;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Runs one program to its end. Never rejects for what the program or the system does. */
export async function spawnProcess(options: SpawnProcessOptions): Promise<ProcessEnd> {
  if (options.signal.aborted) return { kind: 'cancelled' };
  const mark = randomUUID();
  const child = startChild(options, mark);
  if ('reason' in child) return { kind: 'not-started', reason: child.reason };
  if (child.pid === undefined) return { kind: 'not-started', reason: await readSpawnFailure(child, options.directory) };
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const tree = followProcessTree({ pid: child.pid, mark, isAlive });
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdout.on('data', options.onStdout).on('error', ignore);
  child.stderr.on('data', options.onStderr).on('error', ignore);
  try {
    options.onStart?.(tree);
    const end = await firstEnd(child, options);
    if (end.kind === 'exit' || end.kind === 'signal') await settlesWithin(closed, drainMs);
    return end;
  } finally {
    await endProcessTree(tree);
    await settlesWithin(closed, drainMs);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function startChild(options: SpawnProcessOptions, mark: string): Child | { readonly reason: string } {
  const [program, ...rest] = options.argv;
  try {
    return spawn(program, rest, {
      cwd: options.directory,
      env: { ...options.environment, [treeVariable]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  } catch (error) {
    return { reason: toReason(error) };
  }
}

async function readSpawnFailure(child: Child, directory: string): Promise<string> {
  const [error] = await once(child, 'error');
  // Where the process has no descriptor left there are no streams either, whatever the types say.
  child.stdout?.destroy();
  child.stderr?.destroy();
  // The system reports a missing directory as a missing program.
  return existsSync(directory) ? toReason(error) : `there is no directory ${directory}`;
}

/** What happened first decides; what happens while the tree is being ended does not change it any more. */
function firstEnd(child: Child, options: SpawnProcessOptions): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const finish = (end: ProcessEnd): void => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', cancel);
      resolve(end);
    };
    const cancel = (): void => finish({ kind: 'cancelled' });
    const timer = setTimeout(() => finish({ kind: 'timeout' }), Math.min(options.wallMs, 2 ** 31 - 1));
    options.signal.addEventListener('abort', cancel, { once: true });
    child.once('exit', (code, signal) =>
      finish(code === null ? { kind: 'signal', signal: signal ?? 'unknown' } : { kind: 'exit', code }),
    );
  });
}

async function settlesWithin(event: Promise<unknown>, withinMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, withinMs);
  await Promise.race([event, promise]);
  clearTimeout(timer);
}

/** A pipe that breaks ends its output and nothing else. */
function ignore(): void {}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
