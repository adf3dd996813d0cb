// Watches one command until it reaches a cap. The first cap stands, whatever is seen after it; ending the command is for
// whoever asked for the watch.
import { availableParallelism } from 'node:os';
import type { OutputCollector } from './collect-output.ts';
import { explainSignal } from './explain-signal.ts';
import { type Caps, findCapHit, type Sight, toTreeUse } from './find-cap-hit.ts';
import { findRefusal } from './find-refusal.ts';
import type { Refusals, SandboxTree } from './launch.ts';
import { lookRepeatedly } from './look-repeatedly.ts';
import { paceLooks } from './pace-looks.ts';
import type { CapHit } from './sandbox.ts';

export interface CapWatch extends Disposable {
  /** When a cap is reached; never otherwise. */
  readonly reached: Promise<void>;
  readonly hit: CapHit | null;
  elapsedMs(): number;
  /** The cap that the kernel kept from a command that ended so long after its begin, by a signal or by itself; null for none. */
  explain(signal: string | null, elapsedMs: number): CapHit | null;
}

/** Begins now. Disposing ends the looks and the wall clock; output that still comes is counted on. */
export function watchCaps(tree: SandboxTree, output: OutputCollector, caps: Caps): CapWatch {
  const beganAtMs = performance.now();
  const elapsedMs = (): number => performance.now() - beganAtMs;
  const reached = Promise.withResolvers<void>();
  let hit: CapHit | null = null;
  const judge = (sight: Sight): void => {
    hit ??= findCapHit(sight, caps);
    if (hit !== null) reached.resolve();
  };
  const readRefusals = (): Refusals => tree.readRefusals?.() ?? {};
  const see = (elapsed: number): Sight => ({
    elapsedMs: elapsed,
    writtenBytes: output.writtenBytes,
    use: null,
    refusals: readRefusals(),
  });
  const looks = startLooks(tree, caps, (use) => {
    const sight = { ...see(elapsedMs()), use };
    judge(sight);
    return sight;
  });
  const { wallMs } = caps.limits;
  // A timer may come a moment early by the other clock.
  const wall = setTimeout(() => judge(see(Math.max(wallMs, elapsedMs()))), Math.min(wallMs, maxTimerMs));
  output.over.then(() => judge(see(elapsedMs())));
  return {
    reached: reached.promise,
    get hit() {
      return hit;
    },
    elapsedMs,
    explain(signal, atMs) {
      const refused = findRefusal(readRefusals(), atMs, caps.limits);
      if (refused !== null || signal === null) return refused;
      return explainSignal(signal, { elapsedMs: atMs, ...looks.lastCpu() }, caps);
    },
    [Symbol.dispose]() {
      clearTimeout(wall);
      looks[Symbol.dispose]();
    },
  };
}

/** A timer that is set for longer fires at once. */
const maxTimerMs = 2 ** 31 - 1;

function startLooks(tree: SandboxTree, { limits }: Caps, toSight: (use: Sight['use']) => Sight) {
  let before: Sight | null = null;
  let delayMs = 0;
  let cpuMs = 0;
  let cpuSeenAtMs = 0;
  const looks = lookRepeatedly(() => {
    const spent = process.threadCpuUsage();
    const usage = tree.measure();
    const now = toSight(usage === null ? null : toTreeUse(usage, limits));
    if (now.use !== null) [cpuMs, cpuSeenAtMs] = [now.use.cpuMs, now.elapsedMs];
    const { user, system } = process.threadCpuUsage(spent);
    const costMs = (user + system) / 1000;
    // What the kernel keeps by itself is no reason to hurry.
    const raced = now.refusals.memoryBytes === undefined ? limits : { ...limits, memoryBytes: null };
    delayMs = paceLooks({ before, now, costMs, lastDelayMs: delayMs }, raced);
    before = now;
    return delayMs;
  });
  return {
    lastCpu: () => ({ cpuMs, cpuSeenAtMs, processors: availableParallelism() }),
    [Symbol.dispose]: () => looks[Symbol.dispose](),
  };
}
