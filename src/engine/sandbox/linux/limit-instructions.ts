// The limits of a command as instructions for its launcher, which spares a program of the system that would only set them.
import { type CommandLimits, type KernelLimit, toKernelLimits } from '../kernel-limits.ts';
import type { Instruction } from './launcher.ts';

export function toLimitInstructions(limits: CommandLimits): Instruction[] {
  return toKernelLimits(limits).map(({ resource, soft, hard }) => [
    'limit',
    resourceNumbers[resource],
    String(soft),
    String(hard),
  ]);
}

/** The kernel's, the same on x64 and arm64. */
const resourceNumbers: Readonly<Record<KernelLimit['resource'], string>> = {
  cpu: '0',
  fsize: '1',
  core: '4',
  nproc: '6',
  nofile: '7',
};
