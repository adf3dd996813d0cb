// Which limits the kernel is asked to keep of each process of a command. Memory has no dependable limit of this kind: what a
// runtime reserves is not what it uses.
import { type HardLimits, readHardLimits } from '../process/read-hard-limits.ts';
import type { SandboxLimits } from './sandbox.ts';

export interface CommandLimits extends Pick<SandboxLimits, 'cpuMs' | 'fileBytes'> {
  /** Null where the command's user has other processes: the kernel counts all of them. */
  readonly processes: number | null;
}

/** In the kernel's own words and units: `cpu` in seconds, `fsize` and `core` in bytes. */
export interface KernelLimit {
  readonly resource: 'core' | 'nofile' | 'cpu' | 'fsize' | 'nproc';
  readonly soft: number;
  readonly hard: number;
}

/** Never more than this process may grant. */
export function toKernelLimits({ cpuMs, fileBytes, processes }: CommandLimits): KernelLimit[] {
  const hard = readHardLimits();
  return [
    toLimit('core', 0),
    toLimit('nofile', Math.min(openFiles, hard.openFiles)),
    ...(cpuMs === null ? [] : [toCpuLimit(toWholeSeconds(cpuMs), hard)]),
    ...(fileBytes === null ? [] : [toLimit('fsize', Math.min(fileBytes, hard.fileBytes))]),
    ...(processes === null ? [] : [toLimit('nproc', Math.min(processes, hard.processes))]),
  ];
}

/**
 * Beyond what may live at once where what is over it is ended: a command that is refused a process ends with an error of its
 * own, and nobody knows why.
 */
export const processRoom = 64;

export function toWholeSeconds(cpuMs: number): number {
  return Math.max(1, Math.ceil(cpuMs / 1000));
}

const openFiles = 4096;

const toLimit = (resource: KernelLimit['resource'], value: number): KernelLimit => ({
  resource,
  soft: value,
  hard: value,
});

/** The soft limit is one second lower, so that the end is SIGXCPU and can be told from any other kill. */
function toCpuLimit(seconds: number, hard: HardLimits): KernelLimit {
  return {
    resource: 'cpu',
    soft: Math.min(seconds, hard.cpuSeconds),
    hard: Math.min(seconds + 1, hard.cpuSeconds),
  };
}
