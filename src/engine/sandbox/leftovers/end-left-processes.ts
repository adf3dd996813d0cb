// Ends what still runs of sandboxes whose engine is dead. Nobody is left to be asked politely for; the wait is bounded.
import { setTimeout } from 'node:timers/promises';
import { endGroup } from '../control-group/end-group.ts';
import { findLeftProcesses, isRunning, type LeftProcess, type LeftSandbox } from './find-left-processes.ts';

const maxMs = 3_000;
const pollMs = 10;

export interface LeftEnding {
  readonly ended: number;
  /** Those that could not be ended. */
  readonly survivors: readonly LeftProcess[];
}

export async function endLeftProcesses(sandboxes: readonly LeftSandbox[]): Promise<LeftEnding> {
  const seen = new Map<string, LeftProcess>();
  const deadline = performance.now() + maxMs;
  for (;;) {
    for (const each of findLeftProcesses(sandboxes)) seen.set(`${each.pid}:${each.startTime}`, each);
    const running = [...seen.values()].filter(isRunning);
    if (running.length === 0 || performance.now() > deadline) {
      return { ended: seen.size - running.length, survivors: running };
    }
    // At once where that can be done; they were found before, so that they count.
    for (const { controlGroup } of sandboxes) if (controlGroup !== null) endGroup(controlGroup);
    // Stopped first, so that none of them forks while the others are killed.
    for (const each of running) send(each, 'SIGSTOP');
    for (const each of running) send(each, 'SIGKILL');
    await setTimeout(pollMs);
  }
}

/** Where descendants cannot be told, the group of a process stands for them. */
function send(target: LeftProcess, signal: NodeJS.Signals): void {
  if (!isRunning(target)) return;
  for (const pid of process.platform === 'linux' ? [target.pid] : [-target.pid, target.pid]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}
