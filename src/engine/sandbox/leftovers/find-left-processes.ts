// Finds what still runs of sandboxes whose engine is dead. Somebody else's process is never taken for one of theirs: it has
// another start than the one recorded, or it descends from a process that is theirs, or it bears what no other can have.
import { findProcessesOfUid } from '../../process/find-processes-of-uid.ts';
import { readProcessState } from '../../process/process-identity.ts';
import { readProcessIndex } from '../../process/process-index.ts';
import { type ProcessRow, readProcessRow } from '../../process/process-table.ts';
import { readMembers } from '../control-group/group-files.ts';
import type { RecordedSandbox } from './record-sandbox.ts';

export interface LeftProcess {
  readonly pid: number;
  readonly startTime: string;
}

export type LeftSandbox = Pick<RecordedSandbox, 'processes' | 'mark' | 'uid' | 'controlGroup'>;

/** Those that have not ended. On systems without /proc only what was recorded by its number. */
export function findLeftProcesses(sandboxes: readonly LeftSandbox[]): LeftProcess[] {
  const recorded = sandboxes.flatMap(({ processes }) => processes).filter(isRunning);
  if (process.platform !== 'linux') return recorded;
  const index = readProcessIndex(0);
  const roots = [
    ...recorded.flatMap(({ pid }) => [index.find(pid) ?? [], index.inGroup(pid)].flat()),
    ...sandboxes.flatMap(({ mark }) => (mark === null ? [] : index.withMark(mark))),
    ...sandboxes.flatMap(({ uid }) => (uid === null ? [] : findProcessesOfUid(uid))),
    ...sandboxes.flatMap(({ controlGroup }) => (controlGroup === null ? [] : findInControlGroup(controlGroup))),
  ];
  const found = new Map(roots.map((row) => [row.pid, row]));
  // A map that grows while it is walked gives the newcomers too.
  for (const pid of found.keys()) for (const row of index.childrenOf(pid)) found.set(row.pid, row);
  return [...found.values()]
    .filter((row) => !row.ended && row.pid !== process.pid)
    .map((row) => ({ pid: row.pid, startTime: String(row.startTime) }));
}

/** Asked before and after the row is read: the pid may have gone to a process of somebody else in between. */
function findInControlGroup(path: string): ProcessRow[] {
  const rows = readMembers(path).flatMap((pid) => readProcessRow(pid) ?? []);
  const still = new Set(readMembers(path));
  return rows.filter(({ pid }) => still.has(pid));
}

/** Whether this very process runs: a number alone may have gone to another one. */
export function isRunning({ pid, startTime }: LeftProcess): boolean {
  const state = readProcessState(pid);
  return state !== null && !state.ended && state.startTime !== '' && state.startTime === startTime;
}
