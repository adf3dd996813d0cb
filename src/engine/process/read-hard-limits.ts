// What this process may grant its children at most: a limit beyond these is refused by the kernel.
import { readFileSync } from 'node:fs';

/** Infinity where there is no limit, or none is known. */
export interface HardLimits {
  readonly cpuSeconds: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  readonly processes: number;
}

export function readHardLimits(): HardLimits {
  const text = readText();
  const read = (name: string): number => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+) `, 'm').exec(text)?.[1];
    return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard);
  };
  return {
    cpuSeconds: read('Max cpu time'),
    fileBytes: read('Max file size'),
    openFiles: read('Max open files'),
    processes: read('Max processes'),
  };
}

function readText(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
