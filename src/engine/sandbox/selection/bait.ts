// Things of this machine that a command must not get at, put there so that an attempt cannot fail for want of anything to
// find: none of them is secret, and everybody outside a sandbox gets at them.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listenOnLoopback } from '../../net/listen-on-loopback.ts';
import { readProcessRow } from '../../process/process-table.ts';
import { createPrivateDirectory } from '../private-directory.ts';

export interface Bait extends AsyncDisposable {
  /** A readable file. */
  readonly file: string;
  /** A directory with one file in it, for a command to work in. */
  readonly workspace: string;
  readonly port: number;
  /** The engine itself. */
  readonly process: { readonly pid: number; readonly startTime: number };
}

export async function layBait(): Promise<Bait> {
  await using resources = new AsyncDisposableStack();
  const { path: directory } = resources.use(await createPrivateDirectory());
  const workspace = join(directory, 'workspace');
  await mkdir(workspace);
  const file = join(directory, 'file');
  await Promise.all([writeFile(file, 'bait\n'), writeFile(join(workspace, 'kept'), 'kept\n')]);
  await Promise.all([chmod(directory, 0o755), chmod(workspace, 0o755), chmod(file, 0o644)]);
  const { port } = resources.use(await listenOnLoopback());
  const startTime = readProcessRow(process.pid)?.startTime ?? 0;
  const held = resources.move();
  return {
    file,
    workspace,
    port,
    process: { pid: process.pid, startTime },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
