// The units in which Linux counts pages of memory and processor time. Both are told to every process at its start, in its
// auxiliary vector; where that cannot be read the usual ones hold.
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

/** 4 KiB is usual, 16 and 64 KiB exist. */
export function pageBytes(): number {
  return readUnits().pageBytes;
}

export function clockTicksPerSecond(): number {
  return readUnits().clockTicksPerSecond;
}

interface KernelUnits {
  readonly pageBytes: number;
  readonly clockTicksPerSecond: number;
}

let units: KernelUnits | undefined;

function readUnits(): KernelUnits {
  if (units !== undefined) return units;
  const vector = readVector();
  units = {
    pageBytes: findEntry(vector, pageSizeEntry) ?? 4096,
    clockTicksPerSecond: findEntry(vector, clockTicksEntry) ?? 100,
  };
  return units;
}

const pageSizeEntry = 6n;
const clockTicksEntry = 17n;

/** A process with privileges of its own may not read its vector; this is asked in a timer, where nobody would catch. */
function readVector(): Buffer {
  try {
    return readFileSync('/proc/self/auxv');
  } catch {
    return Buffer.alloc(0);
  }
}

/** Pairs of a kind and a value, each of 64 bits. */
function findEntry(vector: Buffer, kind: bigint): number | undefined {
  const read = (offset: number): bigint =>
    endianness() === 'LE' ? vector.readBigUInt64LE(offset) : vector.readBigUInt64BE(offset);
  for (let offset = 0; offset + 16 <= vector.length; offset += 16) {
    if (read(offset) === kind) return Number(read(offset + 8));
  }
  return undefined;
}
