// The processes of this machine by where they came from. One reading is shared by everyone who follows a tree, and only those
// born since are added to it: a hundred watched commands cost little more than one, and a quiet machine next to nothing.

import { isThread, type ProcessRow, readNewestPid, readProcessRow, readProcessTable } from './process-table.ts';
import { readProcessTraits } from './process-traits.ts';

export { treeVariable } from './process-traits.ts';

export interface ProcessIndex {
  /** When the oldest row of it was read, by the monotonic clock. */
  readonly atMs: number;
  find(pid: number): ProcessRow | undefined;
  childrenOf(pid: number): readonly ProcessRow[];
  inGroup(groupId: number): readonly ProcessRow[];
  /** Those with this value of `treeVariable`. */
  withMark(mark: string): readonly ProcessRow[];
  ofUser(uid: number): readonly ProcessRow[];
}

/**
 * Every process that exists is in it, and some that exist no more. What it says of one may have changed since, unless it is
 * at most `maxAgeMs` old: read that one again. One that is just being born may be missed for a second.
 */
export function readProcessIndex(maxAgeMs: number): ProcessIndex {
  const ageMs = latest === undefined ? Number.POSITIVE_INFINITY : performance.now() - latest.index.atMs;
  if (latest === undefined || ageMs > maxWholeAgeMs) return readWholeProcessIndex();
  if (ageMs <= maxAgeMs) return latest.index;
  const newestPid = readNewestPid();
  if (newestPid !== null && newestPid === latest.newestPid) return latest.index;
  const newcomers = readBetween(latest.newestPid, newestPid);
  if (newcomers === null) return readWholeProcessIndex();
  return keep(newestPid, [...latest.rows, ...newcomers], latest.index.atMs);
}

/** The same, all of it read now. */
export function readWholeProcessIndex(): ProcessIndex {
  // Asked first: whoever is born while the table is read is added at the next look.
  const newestPid = readNewestPid();
  const rows = readProcessTable();
  return keep(newestPid, rows, performance.now());
}

interface Reading {
  readonly newestPid: number | null;
  readonly rows: readonly ProcessRow[];
  readonly index: ProcessIndex;
}

let latest: Reading | undefined;

const maxWholeAgeMs = 1_000;
/** To read more than these one by one costs more than to read the table. */
const maxNewcomers = 48;

/** Numbers are given in order. Null where they have begun again from the lowest, or too many were given. */
function readBetween(before: number | null, newestPid: number | null): readonly ProcessRow[] | null {
  if (before === null || newestPid === null || newestPid < before || newestPid - before > maxNewcomers) return null;
  const pids = Array.from({ length: newestPid - before }, (_, index) => before + 1 + index);
  return pids.flatMap((pid) => (isThread(pid) ? [] : (readProcessRow(pid) ?? [])));
}

function keep(newestPid: number | null, rows: readonly ProcessRow[], atMs: number): ProcessIndex {
  const index = indexRows(rows, atMs);
  latest = { newestPid, rows, index };
  return index;
}

function indexRows(rows: readonly ProcessRow[], atMs: number): ProcessIndex {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const byParent = Map.groupBy(rows, (row) => row.parentPid);
  const byGroup = Map.groupBy(rows, (row) => row.groupId);
  const traits = readProcessTraits(byPid);
  return {
    atMs,
    find: (pid) => byPid.get(pid),
    childrenOf: (pid) => byParent.get(pid) ?? [],
    inGroup: (groupId) => byGroup.get(groupId) ?? [],
    withMark: (mark) => traits.byMark().get(mark) ?? [],
    ofUser: (uid) => traits.byUser().get(uid) ?? [],
  };
}
