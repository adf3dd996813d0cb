// Sees the processes of a command gone. Every wait is bounded: what is stuck in the kernel can be ended by nobody.
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxTree } from './launch.ts';

const maxMs = 2_000;
const longestPauseMs = 10;

/** Kills until nobody is left. How many still run after two seconds; null where that cannot be told. */
export async function endTree(tree: SandboxTree): Promise<number | null> {
  const deadlineMs = performance.now() + maxMs;
  for (let pauseMs = 1; !tree.isGone(); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (performance.now() > deadlineMs) return tree.measure()?.processes ?? null;
    tree.kill();
    await delay(pauseMs);
  }
  return 0;
}
