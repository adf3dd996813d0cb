// Decides which cap a command has reached. Pure. Where several are reached at one look the first in a fixed order decides,
// so that the same look always has the same answer.
import { findRefusal } from './find-refusal.ts';
import type { Refusals, TreeUsage } from './launch.ts';
import type { CapHit, SandboxLimits } from './sandbox.ts';

/** What was seen of a command at one moment. */
export interface Sight {
  /** Since the command began. */
  readonly elapsedMs: number;
  readonly writtenBytes: number;
  /** Null where the processes were not looked at, or none is left. */
  readonly use: TreeUse | null;
  /** What the kernel has refused by then. */
  readonly refusals: Refusals;
}

export interface TreeUse extends Omit<TreeUsage, 'exactMemoryBytes'> {
  /** As exactly as it had to be known. */
  readonly memoryBytes: number;
}

/** What a command is held to, and which of it the kernel keeps by itself. */
export interface Caps {
  readonly limits: SandboxLimits;
  readonly keptByKernel: ReadonlySet<keyof SandboxLimits>;
}

export function findCapHit(sight: Sight, { limits, keptByKernel }: Caps): CapHit | null {
  const { elapsedMs, writtenBytes, use, refusals } = sight;
  const at = { enforcement: 'polled', atMs: elapsedMs } as const;
  if (writtenBytes > limits.writtenBytes) {
    return { cap: 'output', limit: limits.writtenBytes, observed: writtenBytes, unit: 'bytes', ...at };
  }
  if (elapsedMs >= limits.wallMs) return { cap: 'wall', limit: limits.wallMs, observed: elapsedMs, unit: 'ms', ...at };
  const refused = findRefusal(refusals, elapsedMs, limits);
  if (refused !== null || use === null) return refused;
  // Where the kernel tells of it, it alone knows what of the memory it could still take back.
  if (limits.memoryBytes !== null && refusals.memoryBytes === undefined && use.memoryBytes > limits.memoryBytes) {
    return { cap: 'memory', limit: limits.memoryBytes, observed: use.memoryBytes, unit: 'bytes', ...at };
  }
  // Where the kernel lets nobody go over it, and does not tell who tried, to be at it is all that can be seen.
  const isSilent = keptByKernel.has('processes') && refusals.processes === undefined;
  const most = isSilent ? use.processes : use.processes - 1;
  if (limits.processes !== null && most >= limits.processes) {
    const enforcement = toEnforcement('processes', keptByKernel);
    return {
      ...at,
      cap: 'processes',
      limit: limits.processes,
      observed: use.processes,
      unit: 'processes',
      enforcement,
    };
  }
  if (limits.cpuMs !== null && use.cpuMs > limits.cpuMs) {
    return { cap: 'cpu', limit: limits.cpuMs, observed: use.cpuMs, unit: 'ms', ...at };
  }
  if (use.disk?.isFull) {
    const enforcement = toEnforcement('diskBytes', keptByKernel);
    return { ...at, cap: 'disk', limit: limits.diskBytes, observed: use.disk.usedBytes, unit: 'bytes', enforcement };
  }
  return null;
}

function toEnforcement(limit: keyof SandboxLimits, keptByKernel: Caps['keptByKernel']): CapHit['enforcement'] {
  return keptByKernel.has(limit) ? 'kernel' : 'polled';
}

/** The exact sum is only worth its price where the upper bound is over the limit: then it decides. */
export function toTreeUse(usage: TreeUsage, { memoryBytes: limitBytes }: SandboxLimits): TreeUse {
  const { exactMemoryBytes, ...use } = usage;
  const isOver = limitBytes !== null && use.memoryUpperBytes > limitBytes;
  return { ...use, memoryBytes: isOver ? exactMemoryBytes(limitBytes) : use.memoryUpperBytes };
}
