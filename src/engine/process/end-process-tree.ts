// Ends a process tree: asks with TERM, then kills until nobody is left. Every wait is bounded.
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessTree } from './process-tree.ts';

const graceMs = 500;
const killMs = 2_000;
const pollMs = 10;

/**
 * Resolves when no member runs any more, at the latest after 2.5 seconds: a process stuck in the kernel cannot be ended by
 * anyone. What also escapes is an orphan that left its group and cleared its environment between two looks; only a
 * sandbox with a process namespace holds that one.
 */
export async function endProcessTree(tree: ProcessTree): Promise<void> {
  if (!tree.isRunning()) return;
  tree.askToEnd();
  if (await endsWithin(tree, graceMs, () => {})) return;
  await endsWithin(tree, killMs, () => tree.kill());
}

/** Whether the tree came to its end in time; `press` is called before each look. */
async function endsWithin(tree: ProcessTree, withinMs: number, press: () => void): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    press();
    await delay(pollMs);
    if (!tree.isRunning()) return true;
  }
  return false;
}
