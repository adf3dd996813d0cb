// The processes that came of one child, wherever they went. A member is recognised by its group, its parent, a mark in its
// environment, or because it was seen before; on systems without /proc only the group is known.
import { readFileSync } from 'node:fs';
import { type ProcessRow, readProcessRow, readProcessTable } from './process-table.ts';

/** Set in the environment of every child, to a value of its own: how an orphan that left the group is found again. */
export const treeVariable = 'IO_STUDIO_PROCESS_TREE';

export interface ProcessTree {
  readonly pid: number;
  /** Together with `pid` the identity of the child, in clock ticks since boot; null on systems without /proc. */
  readonly startTime: number | null;
  /** The members that still run, as of at most `maxAgeMs` ago; empty on systems without /proc. */
  members(maxAgeMs?: number): readonly ProcessRow[];
  isRunning(): boolean;
  /** Sends a signal to every member; the group goes first and at once, so that none forks out of it. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
}

export interface FollowedChild {
  readonly pid: number;
  /** The value of its `treeVariable`. */
  readonly mark: string;
  readonly isAlive: () => boolean;
}

/** Follows the tree of a child; call it in the same turn as the spawn, while the child cannot have been reaped. */
export function followProcessTree({ pid, mark, isAlive }: FollowedChild): ProcessTree {
  const startTime = readProcessRow(pid)?.startTime ?? null;
  const memory: TreeMemory = { needle: `${treeVariable}=${mark}`, seen: new Set(), strangers: new Set() };
  const members = (maxAgeMs?: number): readonly ProcessRow[] => {
    if (startTime === null) return [];
    const candidates = readProcessTable(maxAgeMs).filter((row) => row.startTime >= startTime);
    return findMembers(candidates, pid, memory).filter((row) => !row.ended);
  };
  return {
    pid,
    startTime,
    members,
    isRunning: () => isAlive() || (startTime === null ? send(-pid, 0) : members().length > 0),
    signal(name) {
      const rows = members();
      // Once the child is reaped its number may name another group, unless a member is still seen in it.
      if (isAlive() || startTime === null || rows.some((row) => row.groupId === pid)) send(-pid, name);
      for (const row of rows) if (row.groupId !== pid) send(row.pid, name);
    },
  };
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

interface TreeMemory {
  readonly needle: string;
  readonly seen: Set<string>;
  /** Processes whose environment was read once and does not bear the mark. */
  readonly strangers: Set<string>;
}

/** Goes over the table until a round finds nobody new: a member's child may stand before its parent. */
function findMembers(candidates: readonly ProcessRow[], root: number, memory: TreeMemory): ProcessRow[] {
  const found = new Map<number, ProcessRow>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of candidates) {
      if (found.has(row.pid)) continue;
      if (row.groupId === root || found.has(row.parentPid) || isRemembered(row, memory)) {
        found.set(row.pid, row);
        memory.seen.add(identityOf(row));
      }
    }
  }
  return [...found.values()];
}

function isRemembered(row: ProcessRow, memory: TreeMemory): boolean {
  const identity = identityOf(row);
  if (memory.seen.has(identity)) return true;
  if (memory.strangers.has(identity)) return false;
  if (bearsMark(row.pid, memory.needle)) return true;
  memory.strangers.add(identity);
  return false;
}

function bearsMark(pid: number, needle: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(needle);
  } catch {
    return false;
  }
}

function identityOf(row: ProcessRow): string {
  return `${row.pid}:${row.startTime}`;
}
