// The processes of a command as its job counts them. That the kernel refused something at a limit is told as a use of just
// that much: a command that asks for more than it may have has reached its cap, whatever it makes of the refusal.
import type { SandboxTree } from '../launch.ts';
import type { JobEvent, JobLimits } from './broker-protocol.ts';
import type { Job } from './job-broker.ts';

export interface JobTree extends SandboxTree {
  hear(event: JobEvent | 'gone'): void;
  /** The kernel ended everything, because its time was used up. */
  readonly isOutOfTime: boolean;
}

export interface JobTreeOptions {
  readonly isAlive: () => boolean;
  readonly limits: JobLimits;
  readonly job: () => Pick<Job, 'end'> | null;
}

type Usage = Extract<JobEvent, { event: 'usage' }>;

export function createJobTree({ isAlive, limits, job }: JobTreeOptions): JobTree {
  let usage: Usage | null = null;
  let isGone = false;
  const reached = new Set<string>();
  return {
    get isOutOfTime() {
      return reached.has('time');
    },
    hear(event) {
      if (event === 'gone') isGone = true;
      else if (event.event === 'usage') usage = event;
      else if (event.event === 'limit') reached.add(event.limit);
    },
    measure() {
      if (usage === null || usage.processes === 0) return null;
      const memoryBytes = reached.has('memory') ? (limits.memoryBytes ?? 0) + 1 : usage.memoryBytes;
      return {
        processes: reached.has('processes') ? (limits.processes ?? 0) : usage.processes - 1,
        cpuMs: usage.cpuMs,
        memoryUpperBytes: memoryBytes,
        exactMemoryBytes: () => memoryBytes,
        disk: null,
      };
    },
    kill: () => job()?.end(),
    // A job that is gone took everything with it. Otherwise the last word is that nobody is in it.
    isGone: () => !isAlive() && (isGone || usage?.processes === 0),
  };
}
