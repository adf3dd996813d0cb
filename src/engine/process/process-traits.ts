// What a process has from its birth on: the mark in its environment, and its user. Read once for each and kept as long as it
// is there.
import { readFileSync } from 'node:fs';
import type { ProcessRow } from './process-table.ts';
import { readCredentials } from './read-credentials.ts';

/** Set in the environment of every child, to a value of its own: how an orphan that left the group is found again. */
export const treeVariable = 'IO_STUDIO_PROCESS_TREE';

export interface ProcessTraits {
  /** By the value of their `treeVariable`; null where there is none. */
  byMark(): ReadonlyMap<string | null, readonly ProcessRow[]>;
  byUser(): ReadonlyMap<number | null, readonly ProcessRow[]>;
}

/** Of all processes that there are. */
export function readProcessTraits(rows: ReadonlyMap<number, ProcessRow>): ProcessTraits {
  marks.forgetAllBut(rows);
  users.forgetAllBut(rows);
  let byMark: Map<string | null, ProcessRow[]> | undefined;
  let byUser: Map<number | null, ProcessRow[]> | undefined;
  return {
    byMark() {
      byMark ??= Map.groupBy(rows.values(), marks.of);
      return byMark;
    },
    byUser() {
      byUser ??= Map.groupBy(rows.values(), users.of);
      return byUser;
    },
  };
}

/** Empty also while a program is just being loaded, so that answer is asked for once more. */
const marks = rememberTrait<string>(({ pid }) => {
  const environment = readEnvironment(pid);
  const start = `${treeVariable}=`;
  const word = environment.split('\0').find((each) => each.startsWith(start));
  return word === undefined
    ? { value: null, isSure: environment !== '' }
    : { value: word.slice(start.length), isSure: true };
});

/** The user who started it: that one it cannot give up. */
const users = rememberTrait<number>(({ pid }) => ({ value: readCredentials(pid)?.uids[0] ?? null, isSure: true }));

interface Trait<Value> {
  readonly value: Value | null;
  readonly isSure: boolean;
}

function rememberTrait<Value>(read: (row: ProcessRow) => Trait<Value>) {
  const known = new Map<number, Trait<Value> & { readonly startTime: number }>();
  return {
    of(row: ProcessRow): Value | null {
      const { pid, startTime } = row;
      const entry = known.get(pid);
      const isKnown = entry?.startTime === startTime;
      if (isKnown && entry.isSure) return entry.value;
      const { value, isSure } = read(row);
      known.set(pid, { startTime, value, isSure: isSure || isKnown });
      return value;
    },
    forgetAllBut(rows: ReadonlyMap<number, ProcessRow>): void {
      for (const pid of known.keys()) if (!rows.has(pid)) known.delete(pid);
    },
  };
}

function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
