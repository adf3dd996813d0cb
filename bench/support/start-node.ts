// Children of the benchmark on the Node it runs on itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface StartNodeOptions {
  readonly stdin?: 'ignore' | 'pipe';
  readonly stdout?: 'inherit' | 'pipe';
  /** Another user than this process, with the environment it gets; none: the same user, the same environment. */
  readonly user?: { readonly uid: number; readonly gid: number; readonly environment: NodeJS.ProcessEnv };
}

/** Starts a script; what it says on standard error is shown. */
export function startNode(script: string, args: readonly string[], options: StartNodeOptions = {}): ChildProcess {
  const { stdin = 'ignore', stdout = 'inherit', user } = options;
  return spawn(process.execPath, [script, ...args], {
    stdio: [stdin, stdout, 'inherit'],
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid, env: user.environment }),
  });
}

/** Resolves when the child has ended well; rejects when it has not. */
export async function toEnd(child: ChildProcess): Promise<void> {
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnargs.slice(1, 2).join()} ended with ${String(code ?? signal)}`);
}
