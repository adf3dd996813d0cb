// Which processes came of one command, out of a list of all. Pure. A member is in the group of the child, was seen to be one
// before, carries the mark, or is a child of another; one that does none of it any more is not found.
import type { ListedProcess } from './parse-process-list.ts';

export interface Lineage {
  readonly pid: number;
  /** The child has not been reaped, so nobody else has its number. */
  readonly isAlive: boolean;
  /** Identities of members that were seen before. */
  readonly known: ReadonlySet<string>;
  /** Identities of those that carry the mark of the command. */
  readonly marked: ReadonlySet<string>;
}

export function findMembers(processes: readonly ListedProcess[], lineage: Lineage): readonly ListedProcess[] {
  const { pid, known, marked } = lineage;
  const isOurGroup = ownsGroup(processes, lineage);
  const isRoot = ({ groupId, identity }: ListedProcess): boolean =>
    (isOurGroup && groupId === pid) || known.has(identity) || marked.has(identity);
  const found = new Set(processes.filter(isRoot));
  const byParent = Map.groupBy(processes, ({ parentPid }) => parentPid);
  // A set that grows while it is walked gives the newcomers too.
  for (const member of found) for (const child of byParent.get(member.pid) ?? []) found.add(child);
  return [...found];
}

/** No process is given the number of a group that somebody is in: only a stranger who leads it shows that it is another. */
function ownsGroup(processes: readonly ListedProcess[], { pid, isAlive, known }: Lineage): boolean {
  const leader = processes.find((each) => each.pid === pid);
  return isAlive || leader === undefined || known.has(leader.identity);
}
