// Whether this process came of another one: what a run has started must not answer that run's questions. It is told from
// the chain of parents as /proc shows it. What is left: a process whose parent has ended is handed to another and no longer
// seen here, and without /proc nobody is; that such a process cannot decide rests on its being kept from the credential.
import { type ProcessRow, readProcessRow } from './process-table.ts';

/** Whether this process has among its ancestors the one that `pid` and `startTime` name together; it is not its own. */
export function isDescendantOf(pid: number, startTime: string, readRow: ReadRow = readProcessRow): boolean {
  const seen = new Set<number>();
  let parent = readRow(process.pid)?.parentPid;
  while (parent !== undefined && !seen.has(parent)) {
    seen.add(parent);
    const row = readRow(parent);
    // A start that was never known contradicts nothing: in doubt it is the same process.
    if (row?.pid === pid) return startTime === '' || startTime === String(row.startTime);
    parent = row?.parentPid;
  }
  return false;
}

type ReadRow = (pid: number) => Pick<ProcessRow, 'pid' | 'parentPid' | 'startTime'> | undefined;
