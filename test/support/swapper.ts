// A process that swaps directories of a workspace for links to a directory outside, all the time.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { GuardedWorkspace } from './guarded-workspace.ts';

export async function startSwapper(
  { path, outside }: GuardedWorkspace,
  directories: readonly string[],
): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '..', 'fixtures', 'directory-swapper.ts');
  const swapper = fork(script, [path, outside, ...directories], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(swapper, 'message');
  return swapper;
}

/** How often it swapped. */
export async function stopSwapper(swapper: ChildProcess): Promise<number> {
  const exit = once(swapper, 'exit');
  const answer = once(swapper, 'message');
  swapper.send('stop');
  const [swaps] = await answer;
  swapper.disconnect();
  await exit;
  return Number(swaps);
}
