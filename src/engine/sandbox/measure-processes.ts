// What processes use together. Processor time counts the dead too: what each was last seen to have used is kept, because a
// process that nobody waits for takes its time with it. Both sums of it fall short, so the larger one is believed.
import { existsSync, readFileSync } from 'node:fs';
import { clockTicksPerSecond, pageBytes } from '../process/kernel-units.ts';
import type { ProcessRow } from '../process/process-table.ts';
import type { TreeUsage } from './launch.ts';
import { toErrorCode } from './to-error-code.ts';

export interface ProcessMeter {
  /** Also those that have ended and wait for their parents. Call it with the same processes, now and then. */
  measure(rows: readonly ProcessRow[]): Omit<TreeUsage, 'disk'>;
}

/** `proc`: the directory in which the processes have the numbers that the rows say. */
export function createProcessMeter(proc = '/proc'): ProcessMeter {
  const spentTicks = createTickLedger();
  return {
    measure(rows) {
      const running = rows.filter((row) => !row.ended);
      return {
        processes: sum(running, (row) => row.threads),
        cpuMs: (spentTicks(rows) * 1000) / clockTicksPerSecond(),
        memoryUpperBytes: sum(running, residentBytes),
        exactMemoryBytes: (enoughBytes) => readExactly(proc, running, enoughBytes),
      };
    },
  };
}

function createTickLedger(): (rows: readonly ProcessRow[]) => number {
  let seen = new Map<string, number>();
  let goneTicks = 0;
  let mostTicks = 0;
  return (rows) => {
    const now = new Map(rows.map((row) => [`${row.pid}:${row.startTime}`, row.ownTicks]));
    for (const [identity, ticks] of seen) if (!now.has(identity)) goneTicks += ticks;
    seen = now;
    const seenTicks = goneTicks + sum(rows, (row) => row.ownTicks);
    const countedTicks = sum(rows, (row) => row.ownTicks + row.childTicks);
    mostTicks = Math.max(mostTicks, seenTicks, countedTicks);
    return mostTicks;
  };
}

/** Together they hold no less than the largest of them alone: often that is enough to know, and it is known already. */
function readExactly(proc: string, running: readonly ProcessRow[], enoughBytes: number): number {
  const largestBytes = Math.max(0, ...running.map(residentBytes));
  if (running.length === 1 || largestBytes > enoughBytes) return largestBytes;
  // One after the other is no single moment: who forks or ends meanwhile changes everyone's share, and what they share
  // is counted twice. So a sum that is too much is only believed when it is read again and again.
  let totalBytes = addUp(proc, running, enoughBytes);
  for (let reading = 1; reading < maxReadings && totalBytes > enoughBytes; reading++) {
    totalBytes = Math.min(totalBytes, addUp(proc, running, enoughBytes));
  }
  return Math.max(largestBytes, totalBytes);
}

const maxReadings = 3;

function addUp(proc: string, running: readonly ProcessRow[], enoughBytes: number): number {
  let totalBytes = 0;
  for (const row of running) {
    totalBytes += readProportionalBytes(proc, row);
    if (totalBytes > enoughBytes) break;
  }
  return totalBytes;
}

/** Shared pages divided among those who share them; the plain resident size where the kernel does not say. */
function readProportionalBytes(proc: string, row: ProcessRow): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`${proc}/${row.pid}/smaps_rollup`, 'latin1'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch (error) {
    if (row.hasMemory && hasEnded(error, `${proc}/${row.pid}`)) return 0;
  }
  return residentBytes(row);
}

/** Told from a kernel without such a file, and from an engine that has no descriptor left to open it with. */
function hasEnded(error: unknown, directory: string): boolean {
  const code = toErrorCode(error);
  return code === 'ESRCH' || (code === 'ENOENT' && !existsSync(directory));
}

const residentBytes = (row: ProcessRow): number => row.residentPages * pageBytes();

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
