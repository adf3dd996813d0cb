import { readdirSync, readFileSync } from 'node:fs';

/** The processes that have this word on their command line. */
export function findMarked(marker: string): number[] {
  return listProcesses().filter((pid) => readCommandLine(pid).includes(marker));
}

/** The processes that go by this name. */
export function findNamed(marker: string): number[] {
  return listProcesses().filter((pid) => readCommandLine(pid)[0] === marker);
}

function listProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readCommandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
