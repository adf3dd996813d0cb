// The processes of a command that has a process namespace of its own, seen through that namespace's own /proc: it costs as
// much as the command has processes, not as the machine has. When its first process ends the kernel ends all the others.
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { type ProcessRow, parseStat, readProcessRow, readShortFile } from '../../process/process-table.ts';
import type { StartedChild } from '../../process/start-child.ts';
import type { SandboxTree, TreeUsage } from '../launch.ts';
import { createProcessMeter, type ProcessMeter } from '../measure-processes.ts';

export interface NamespaceTreeOptions {
  /** The program that was started, and that holds the namespace. */
  readonly child: StartedChild;
  /** The first process of the namespace, by its number outside. */
  readonly initPid: number;
  /** Size-capped file systems, by paths that are looked at from outside. */
  readonly disks: readonly string[];
}

export function createNamespaceTree({ child, initPid, disks }: NamespaceTreeOptions): SandboxTree {
  const init = readProcessRow(initPid);
  const proc = `/proc/${initPid}/root/proc`;
  const meter = createProcessMeter(proc);
  const isInitAlive = (): boolean => {
    const now = readProcessRow(initPid);
    return init !== undefined && now !== undefined && now.startTime === init.startTime && !now.ended;
  };
  return {
    measure() {
      if (!isInitAlive()) return null;
      return isOfNamespace(proc) ? measure(proc, disks, meter) : nothingYet;
    },
    kill() {
      if (child.isAlive()) kill(child.pid);
      if (isInitAlive()) kill(initPid);
    },
    isGone: () => !child.isAlive() && !isInitAlive(),
  };
}

/** Until it has moved into what was built for it, its root is this machine's, with all that runs and is stored here. */
function isOfNamespace(proc: string): boolean {
  try {
    return statSync(proc).dev !== statSync('/proc').dev;
  } catch {
    return false; // It is on its way, or has just ended.
  }
}

const nothingYet: TreeUsage = {
  processes: 0,
  cpuMs: 0,
  memoryUpperBytes: 0,
  exactMemoryBytes: () => 0,
  disk: null,
};

function measure(proc: string, disks: readonly string[], meter: ProcessMeter): TreeUsage {
  const used = meter.measure(readRows(proc));
  const disk = measureDisks(disks);
  return {
    ...used,
    // The first process is bubblewrap's own. It is left in above: it waits for those whose parents have ended.
    processes: Math.max(0, used.processes - 1),
    // What is written to file systems in memory is memory too.
    memoryUpperBytes: used.memoryUpperBytes + disk.totalBytes,
    exactMemoryBytes: (enoughBytes) => used.exactMemoryBytes(enoughBytes - disk.totalBytes) + disk.totalBytes,
    disk: disks.length === 0 ? null : disk,
  };
}

/** Everything in sight of the namespace's own /proc. */
function readRows(proc: string): ProcessRow[] {
  return listIds(proc).flatMap((id) => readRow(`${proc}/${id}/stat`) ?? []);
}

function listIds(proc: string): string[] {
  try {
    return readdirSync(proc).filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // It has just ended.
  }
}

function readRow(path: string): ProcessRow | undefined {
  try {
    return parseStat(readShortFile(path));
  } catch {
    return undefined;
  }
}

function measureDisks(disks: readonly string[]) {
  const uses = disks.map(measureDisk);
  return {
    usedBytes: Math.max(0, ...uses.map(({ usedBytes }) => usedBytes)),
    totalBytes: sum(uses.map(({ usedBytes }) => usedBytes)),
    isFull: uses.some(({ isFull }) => isFull),
  };
}

/** An entry without content takes memory too, which the size of such a file system does not say. */
const bytesPerEntry = 1024;

function measureDisk(path: string): { usedBytes: number; isFull: boolean } {
  try {
    const { bsize, blocks, bfree, files, ffree } = statfsSync(path);
    const usedBytes = (blocks - bfree) * bsize + (files - ffree) * bytesPerEntry;
    return { usedBytes, isFull: usedBytes >= blocks * bsize || ffree === 0 };
  } catch {
    return { usedBytes: 0, isFull: false };
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
