// The resident memory of a process tree, where /proc tells it. The cheap sum counts a shared page once for each process
// that maps it, so it is only believed while it is under the limit; the exact sum decides.
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import type { ProcessRow } from '../process/process-table.ts';

/** Whether the tree's members together hold more than `maxBytes`. */
export function exceedsMemory(members: readonly ProcessRow[], maxBytes: number): boolean {
  const upperBound = sum(members.map((row) => row.residentPages * pageBytes()));
  return upperBound > maxBytes && sum(members.map(proportionalBytes)) > maxBytes;
}

/** Shared pages divided among those who share them; the plain resident size where the kernel does not say. */
function proportionalBytes(row: ProcessRow): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${row.pid}/smaps_rollup`, 'latin1'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Gone meanwhile, or not readable for us.
  }
  return row.residentPages * pageBytes();
}

let knownPageBytes: number | undefined;

/** 4 KiB is usual, 16 and 64 KiB exist. */
function pageBytes(): number {
  knownPageBytes ??= readPageBytes() ?? 4096;
  return knownPageBytes;
}

/** From the auxiliary vector (entry 6) that the kernel gives every process. */

function readPageBytes(): number | undefined {
  const vector = readAuxiliaryVector();
  const read = (offset: number): bigint =>
    endianness() === 'LE' ? vector.readBigUInt64LE(offset) : vector.readBigUInt64BE(offset);
  for (let offset = 0; offset + 16 <= vector.length; offset += 16) {
    if (read(offset) === 6n) return Number(read(offset + 8));
  }
  return undefined;
}

/** A process with privileges of its own may not read its vector; this is asked in a timer, where nobody would catch. */
function readAuxiliaryVector(): Buffer {
  try {
    return readFileSync('/proc/self/auxv');
  } catch {
    return Buffer.alloc(0);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
