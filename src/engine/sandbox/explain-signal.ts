// Tells a signal by which the kernel ended a command at a cap from any other one. Pure. A signal alone proves nothing, as
// everybody may send it: the kernel must have kept that cap, or the command must have been able to reach it.
import type { Caps } from './find-cap-hit.ts';
import type { CapHit } from './sandbox.ts';

/** What was seen of a command that has ended. */
export interface LastSight {
  readonly elapsedMs: number;
  /** Processor time when it was last looked at, and when that was. */
  readonly cpuMs: number;
  readonly cpuSeenAtMs: number;
  /** How many processors it could use at once. */
  readonly processors: number;
}

/** The cap that the kernel ended it for; null where nothing here explains the signal. */
export function explainSignal(signal: string, sight: LastSight, { limits, keptByKernel }: Caps): CapHit | null {
  const at = { enforcement: 'kernel', atMs: sight.elapsedMs } as const;
  const { fileBytes, cpuMs } = limits;
  if (signal === 'SIGXFSZ' && fileBytes !== null && keptByKernel.has('fileBytes')) {
    return { cap: 'file', limit: fileBytes, observed: fileBytes, unit: 'bytes', ...at };
  }
  if (signal === 'SIGXCPU' && cpuMs !== null && couldHaveUsed(cpuMs, sight)) {
    return { cap: 'cpu', limit: cpuMs, observed: Math.max(sight.cpuMs, cpuMs), unit: 'ms', ...at };
  }
  return null;
}

/**
 * Since the last look it used at most all processors. The limit counts the whole tick of whoever runs when one is over, and
 * so runs ahead of what a process is told to have used, most on a busy virtual machine.
 */
function couldHaveUsed(cpuMs: number, sight: LastSight): boolean {
  const mostSinceMs = (sight.elapsedMs - sight.cpuSeenAtMs) * sight.processors;
  return (sight.cpuMs + mostSinceMs) * mostAhead >= cpuMs;
}

const mostAhead = 2;
