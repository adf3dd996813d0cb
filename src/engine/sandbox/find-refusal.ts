// Which cap of the whole tree the kernel has refused to let a command over. Pure. It tells so itself, so nothing has to be
// guessed from how the command ended: a refusal counts also where the command has coped with it, or ended before a look.
import type { Refusals } from './launch.ts';
import type { CapHit, SandboxLimits } from './sandbox.ts';

/** Null where it has refused nothing. Of both the memory is told, as at every look. */
export function findRefusal(
  { memoryBytes, processes }: Refusals,
  atMs: number,
  limits: Pick<SandboxLimits, keyof Refusals>,
): CapHit | null {
  const by = { enforcement: 'kernel', atMs } as const;
  if (limits.memoryBytes !== null && typeof memoryBytes === 'number') {
    return { cap: 'memory', limit: limits.memoryBytes, observed: memoryBytes, unit: 'bytes', ...by };
  }
  if (limits.processes !== null && typeof processes === 'number') {
    return { cap: 'processes', limit: limits.processes, observed: processes, unit: 'processes', ...by };
  }
  return null;
}
