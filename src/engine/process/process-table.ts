// The processes of this machine as /proc shows them; empty where there is no /proc. Everything here is read anew when asked.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** One process. `pid` and `startTime` together name it; a pid alone is given to another process sooner or later. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Clock ticks since boot. */
  readonly startTime: number;
  readonly residentPages: number;
  readonly threads: number;
  /** Not so where its first thread ends or has ended, which the others may go on without. */
  readonly hasMemory: boolean;
  /** Clock ticks of processor time, without its children's. */
  readonly ownTicks: number;
  /** Of the children it has waited for, and of theirs. */
  readonly childTicks: number;
  /** It has ended and waits for its parent to notice; no signal does anything to it. */
  readonly ended: boolean;
}

/** Every process. */
export function readProcessTable(): readonly ProcessRow[] {
  return listProcessIds().flatMap((pid) => readProcessRow(pid) ?? []);
}

/** One process, or undefined when it is gone or this system has no /proc. */
export function readProcessRow(pid: number): ProcessRow | undefined {
  const row = readStat(`/proc/${pid}/stat`);
  if (row === undefined || row.hasMemory || row.threads <= 1) return row;
  return { ...row, residentPages: readPagesOfThreads(pid) };
}

/** All threads have the same memory, but nothing tells of it under the number of one that has ended. */
function readPagesOfThreads(pid: number): number {
  return Math.max(0, ...listThreads(pid).map((thread) => readThreadRow(pid, thread)?.residentPages ?? 0));
}

/** One thread as if it were the process. */
export function readThreadRow(pid: number, thread: number): ProcessRow | undefined {
  return readStat(`/proc/${pid}/task/${thread}/stat`);
}

function readStat(path: string): ProcessRow | undefined {
  try {
    return parseStat(readShortFile(path));
  } catch {
    return undefined;
  }
}

/** The numbers of its threads, the first among them as long as others are there; empty when it is gone. */
export function listThreads(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

/** Whether the process that `row` once described is still there, and no other under its number. */
export function isStillThere({ pid, startTime }: Pick<ProcessRow, 'pid' | 'startTime'>): boolean {
  return readProcessRow(pid)?.startTime === startTime;
}

/** Threads have numbers too, and /proc answers to them although it does not list them. */
export function isThread(pid: number): boolean {
  try {
    const leader = /^Tgid:\t(\d+)$/m.exec(readShortFile(`/proc/${pid}/status`))?.[1];
    return leader !== undefined && Number(leader) !== pid;
  } catch {
    return false;
  }
}

/**
 * The number that the youngest process or thread was given: as long as it stays the same nothing was born. Null where that
 * cannot be told.
 */
export function readNewestPid(): number | null {
  try {
    // Some containers show a file that never changes, with a zero here.
    return Number(readShortFile('/proc/loadavg').split(' ')[4]) || null;
  } catch {
    return null;
  }
}

/** Half the cost of `readFileSync`, which asks for the size of a file that has none; it is called for every process. */
export function readShortFile(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

const buffer = Buffer.alloc(2048);

export function listProcessIds(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return [];
  }
}

/** The program's name stands in brackets and may itself hold blanks and brackets, so fields count from the last one. */
export function parseStat(line: string): ProcessRow | undefined {
  const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (fields.length <= residentPagesField) return undefined;
  const read = (field: number): number => Number(fields[field]);
  return {
    pid: Number.parseInt(line, 10),
    parentPid: read(0),
    groupId: read(1),
    startTime: read(18),
    residentPages: read(residentPagesField),
    threads: read(16),
    hasMemory: fields[virtualBytesField] !== '0',
    ownTicks: read(10) + read(11),
    childTicks: read(12) + read(13),
    // Of a process with several threads this line is that of the first, and the others may go on without it.
    ended: (state === 'Z' || state === 'X') && read(16) <= 1,
  };
}

const virtualBytesField = 19;
const residentPagesField = 20;
