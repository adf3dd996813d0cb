// The processes that came of one child, wherever they went. A member is recognised by its group, its parent, a mark in its
// environment, a user of its own, or because it was seen before; on systems without /proc only the group is known. Nobody
// is ever sent a signal but under the number and the start by which it was found.
import { type ProcessIndex, readProcessIndex, readWholeProcessIndex } from './process-index.ts';
import { isStillThere, type ProcessRow, readProcessRow } from './process-table.ts';

export interface ProcessTree {
  readonly pid: number;
  /** Together with `pid` the identity of the child, in clock ticks since boot; null on systems without /proc. */
  readonly startTime: number | null;
  /** Who is there, also of those that have ended and wait for their parents; empty on systems without /proc. */
  members(maxAgeMs?: number): readonly ProcessRow[];
  isRunning(): boolean;
  /** Sends TERM to every member. */
  askToEnd(): void;
  /** Ends every member: all are stopped first, so that none forks out of it. */
  kill(): void;
}

export interface FollowedChild {
  /** It leads a process group of its own. */
  readonly pid: number;
  readonly isAlive: () => boolean;
  /** The value of its `treeVariable`; null where it has none. */
  readonly mark: string | null;
  /** The user it runs as, where nobody else does. */
  readonly uid: number | null;
}

/** Follows the tree of a child; call it in the same turn as the spawn, while the child cannot have been reaped. */
export function followProcessTree(child: FollowedChild): ProcessTree {
  const { pid, isAlive } = child;
  const startTime = readProcessRow(pid)?.startTime ?? null;
  const members = startTime === null ? () => [] : followMembers(child, startTime);
  const running = (index?: ProcessIndex): readonly ProcessRow[] => members(0, index).filter((row) => !row.ended);
  /** That nobody is left is only believed of a reading that nobody was born during. */
  const hasMembers = (): boolean => running().length > 0 || running(readWholeProcessIndex()).length > 0;
  /** The number of a group is taken while its leader is not reaped or another member is there. */
  const hasGroup = (rows: readonly ProcessRow[]): boolean =>
    startTime === null ||
    (isAlive() && isStillThere({ pid, startTime })) ||
    rows.some((row) => row.groupId === pid && isStillThere(row));
  const signalAll = (rows: readonly ProcessRow[], name: NodeJS.Signals): void => {
    // The group at once, so that none of it escapes meanwhile.
    if (hasGroup(rows)) send(-pid, name);
    for (const row of rows) if (row.groupId !== pid && isStillThere(row)) send(row.pid, name);
  };
  return {
    pid,
    startTime,
    members: (maxAgeMs) => members(maxAgeMs),
    isRunning: () => isAlive() || (startTime === null ? send(-pid, 0) : hasMembers()),
    askToEnd: () => signalAll(running(), 'SIGTERM'),
    kill() {
      stopAll(running, (rows) => signalAll(rows, 'SIGSTOP'));
      signalAll(running(), 'SIGKILL');
    },
  };
}

/** Stops whoever is new until nobody is: what was stopped forks no more, so each round meets fewer. */
function stopAll(running: () => readonly ProcessRow[], stop: (rows: readonly ProcessRow[]) => void): void {
  const stopped = new Set<string>();
  for (let round = 0; round < maxStopRounds; round++) {
    const rows = running().filter((row) => !stopped.has(identityOf(row)));
    if (rows.length === 0) return;
    stop(rows);
    for (const row of rows) stopped.add(identityOf(row));
  }
}

const maxStopRounds = 20;

function followMembers(child: FollowedChild, startTime: number) {
  let known: readonly ProcessRow[] = [];
  let used: ProcessIndex | undefined;
  const followedAtMs = performance.now();
  return (
    maxAgeMs = 0,
    // An older reading would not have the child.
    index = readProcessIndex(Math.min(maxAgeMs, performance.now() - followedAtMs)),
  ): readonly ProcessRow[] => {
    if (index !== used) known = findMembers(index, child, startTime, known);
    used = index;
    if (performance.now() - index.atMs > maxAgeMs) known = known.flatMap(readAgain);
    return known;
  };
}

function findMembers(
  index: ProcessIndex,
  { pid, isAlive, mark, uid }: FollowedChild,
  startTime: number,
  known: readonly ProcessRow[],
): readonly ProcessRow[] {
  const group = index.inGroup(pid);
  const seen = known.flatMap((row) => {
    const now = index.find(row.pid);
    return now?.startTime === row.startTime ? now : [];
  });
  // Once nobody of it is left its number may name the group of a stranger.
  const isOurGroup = isAlive() || seen.some((row) => row.groupId === pid);
  const roots = [
    ...seen,
    ...(isOurGroup ? group : []),
    ...(mark === null ? [] : index.withMark(mark)),
    ...(uid === null ? [] : index.ofUser(uid)),
  ];
  const found = new Map(roots.filter((row) => row.startTime >= startTime).map((row) => [row.pid, row]));
  // A map that grows while it is walked gives the newcomers too.
  for (const parent of found.keys()) for (const row of index.childrenOf(parent)) found.set(row.pid, row);
  return [...found.values()];
}

function readAgain(row: ProcessRow): readonly ProcessRow[] {
  const now = readProcessRow(row.pid);
  return now?.startTime === row.startTime ? [now] : [];
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

function identityOf(row: ProcessRow): string {
  return `${row.pid}:${row.startTime}`;
}
