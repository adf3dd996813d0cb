// The processes of a measured program: those that carry its mark in their environment, and all that came from them. A sandbox
// hands its commands another environment, so a mark alone would miss them. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

export const markName = 'PEER_MARK';

/** Parents before their children. */
export function listTree(mark: string): number[] {
  const parents = readParents();
  const found = new Set([...parents.keys()].filter((pid) => isMarked(pid, mark)));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Ends them at once. */
export function killTree(mark: string): void {
  for (const pid of listTree(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

/** Resident memory of all of them together. */
export function measureTreeMiB(mark: string): number {
  return listTree(mark).reduce((sum, pid) => sum + readResidentKiB(pid), 0) / 1024;
}

function readParents(): Map<number, number> {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return new Map(pids.filter((pid) => pid !== process.pid).map((pid) => [pid, readParent(pid)]));
}

function readParent(pid: number): number {
  // The name in brackets may hold anything; state and parent follow it.
  const [, parent = '0'] = /\) \S (\d+)/.exec(readProcess(pid, 'stat')) ?? [];
  return Number(parent);
}

const isMarked = (pid: number, mark: string): boolean =>
  readProcess(pid, 'environ').split('\0').includes(`${markName}=${mark}`);

function readResidentKiB(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readProcess(pid, 'status')) ?? [];
  return Number(kibibytes);
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // It has ended, or is another user's.
  }
}
