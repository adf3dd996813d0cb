// Finds processes that outlived the tests that started them, by a mark in their environment. Linux only: elsewhere the
// environment of another process cannot be read, and nothing is found.
import { readdirSync, readFileSync } from 'node:fs';

export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

const graceMs = 3000;
const lookEveryMs = 50;

/**
 * Every other process whose environment holds this `NAME=value` and that does not end within a few seconds: a test's worker
 * may still be about to end. Blocks the thread while it waits, so that it can be asked when the process itself ends.
 */
export function findSurvivors(mark: string): Survivor[] {
  const deadline = performance.now() + graceMs;
  for (;;) {
    const survivors = findMarked(mark);
    if (survivors.length === 0 || performance.now() >= deadline) return survivors;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookEveryMs);
  }
}

function findMarked(mark: string): Survivor[] {
  return listProcessIds()
    .filter((pid) => pid !== process.pid && readProcessFile(pid, 'environ').split('\0').includes(mark))
    .map((pid) => ({ pid, command: readProcessFile(pid, 'cmdline').split('\0').join(' ').trim() }));
}

function listProcessIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty for a process that ended meanwhile or belongs to somebody else. */
function readProcessFile(pid: number, name: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
