// Finds the processes of a user. Where the number was given to one sandbox alone this is all that came of it, wherever it
// went and whatever it did to its group, its parent or its environment.
import { listProcessIds, type ProcessRow, readProcessRow } from './process-table.ts';
import { readCredentials } from './read-credentials.ts';

/** Those that have not ended and have this number as any of their user ids. Empty on systems without /proc. */
export function findProcessesOfUid(uid: number): ProcessRow[] {
  return listProcessIds()
    .filter((pid) => isOfUser(pid, uid))
    .flatMap((pid) => readProcessRow(pid) ?? [])
    .filter((row) => !row.ended && isOfUser(row.pid, uid));
}

/** Asked before and after the row is read: the pid may have gone to a process of somebody else in between. */
function isOfUser(pid: number, uid: number): boolean {
  return readCredentials(pid)?.uids.includes(uid) === true;
}
