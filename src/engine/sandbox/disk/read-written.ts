// How much processes have written, to whatever it was: never less than what they have written to a disk.
import { readShortFile } from '../../process/process-table.ts';
import { toErrorCode } from '../to-error-code.ts';

/** Of processes that run, and of their children that they have waited for. Nobody knows where one has shut itself: infinite. */
export function readWritten(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + readOne(pid), 0);
}

function readOne(pid: number): number {
  try {
    const text = readShortFile(`/proc/${pid}/io`);
    // The first is what was handed to the system, the other what it has made of that, and of files in memory.
    return Math.max(...['wchar', 'write_bytes'].map((name) => readNumber(text, name)));
  } catch (error) {
    return toErrorCode(error) === 'EACCES' ? Number.POSITIVE_INFINITY : 0;
  }
}

function readNumber(text: string, name: string): number {
  return Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}
