// Runs one program of the host to its end. The child gets exactly the environment it is given, no input, and a process
// group of its own; when this resolves its whole tree has ended and its pipes are closed, however it came to its end.
import { randomUUID } from 'node:crypto';
import { endProcessTree } from './end-process-tree.ts';
import type { ProcessEnd } from './process-end.ts';
import { treeVariable } from './process-index.ts';
import { followProcessTree } from './process-tree.ts';
import { settlesWithin } from './settles-within.ts';
import { type StartedChild, startChild } from './start-child.ts';

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
}

/** Never rejects for what the program or the system does. */
export async function spawnProcess(options: SpawnProcessOptions): Promise<ProcessEnd> {
  if (options.signal.aborted) return { kind: 'cancelled' };
  const mark = randomUUID();
  const environment = { ...options.environment, [treeVariable]: mark };
  const child = await startChild({ ...options, environment, identity: null, descriptors: [] });
  if (child.kind === 'failed') return { kind: 'not-started', reason: child.reason };
  const tree = followProcessTree({ pid: child.pid, isAlive: child.isAlive, mark, uid: null });
  child.stdout.on('data', options.onStdout);
  child.stderr.on('data', options.onStderr);
  try {
    const end = await firstEnd(child, options);
    if (end.kind === 'exit' || end.kind === 'signal') await settlesWithin(child.closed, drainMs);
    return end;
  } finally {
    await endProcessTree(tree);
    await settlesWithin(child.closed, drainMs);
    child.release();
  }
}

/** What happened first decides; what happens while the tree is being ended does not change it any more. */
function firstEnd(child: StartedChild, options: SpawnProcessOptions): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const finish = (end: ProcessEnd): void => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', cancel);
      resolve(end);
    };
    const cancel = (): void => finish({ kind: 'cancelled' });
    const timer = setTimeout(() => finish({ kind: 'timeout' }), Math.min(options.wallMs, maxTimerMs));
    options.signal.addEventListener('abort', cancel, { once: true });
    if (options.signal.aborted) cancel();
    child.exited.then(({ code, signal }) =>
      finish(code === null ? { kind: 'signal', signal: signal ?? 'unknown' } : { kind: 'exit', code }),
    );
  });
}

/** A timer that is set for longer fires at once. */
const maxTimerMs = 2 ** 31 - 1;
