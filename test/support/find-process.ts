// Finds a process of this machine by an argument that no other has: what runs in a sandbox can tell nobody its number.
import { readdirSync, readFileSync } from 'node:fs';

/** The number of the process that was started with `argument` among its own; undefined while there is none. */
export function findProcess(argument: string): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => readArguments(pid).includes(argument));
}

function readArguments(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has just ended.
  }
}
