// The processes of a command where the system can only be asked for a list of all: found by group, descent and mark. Nobody
// is ended before all are stopped, because a list shows descent only while the parents are there. What leaves its group,
// outlives its parent and hides its mark between two lists escapes.
import type { StartedChild } from '../../process/start-child.ts';
import type { SandboxTree, TreeUsage } from '../launch.ts';
import { createEnding } from './create-ending.ts';
import { findMembers } from './find-members.ts';
import type { ProcessSources } from './list-processes.ts';
import type { ListedProcess } from './parse-process-list.ts';

export interface ListedTreeOptions {
  readonly child: Pick<StartedChild, 'pid' | 'isAlive'>;
  /** The value of `treeVariable` in the environment of the command. */
  readonly mark: string;
  readonly sources: ProcessSources;
}

/** Asking takes too long to do it more often; environments of all processes are much to read. */
const listAgeMs = 100;
const marksAgeMs = 1_000;

export function createListedTree({ child, mark, sources: { processes, marks } }: ListedTreeOptions): SandboxTree {
  const followedAtMs = performance.now();
  const spentMs = createCpuLedger();
  let members: readonly ListedProcess[] = [];
  const update = (list: readonly ListedProcess[], marked: ReadonlyMap<string, string>): readonly ListedProcess[] => {
    members = findMembers(list, {
      pid: child.pid,
      isAlive: child.isAlive(),
      known: new Set(members.map(({ identity }) => identity)),
      marked: new Set([...marked].flatMap(([identity, value]) => (value === mark ? [identity] : []))),
    });
    return members.filter(({ ended }) => !ended);
  };
  /** As they are after that moment; null where that is not known yet. */
  const lookAfter = (momentMs: number): readonly ListedProcess[] | null => {
    const [list, marked] = [processes.latest(0), marks.latest(0)];
    if (list === null || marked === null || Math.min(list.askedAtMs, marked.askedAtMs) < momentMs) return null;
    return update(list.value, marked.value);
  };
  const ending = createEnding(child, lookAfter);
  let endedAtMs: number | null = null;
  return {
    measure() {
      const list = processes.latest(listAgeMs);
      const marked = marks.latest(marksAgeMs)?.value ?? new Map();
      if (list === null || list.askedAtMs < followedAtMs) return null;
      const running = update(list.value, marked);
      return running.length === 0 ? null : toUsage(running, spentMs(members));
    },
    kill: ending.press,
    isGone() {
      if (child.isAlive()) return false;
      endedAtMs ??= performance.now();
      return lookAfter(endedAtMs)?.length === 0;
    },
  };
}

/** What each was last seen to have used is kept when it is gone: its parent is not told to have used it. */
function createCpuLedger(): (rows: readonly ListedProcess[]) => number {
  const used = new Map<string, number>();
  return (rows) => {
    for (const { identity, cpuMs } of rows) used.set(identity, Math.max(cpuMs, used.get(identity) ?? 0));
    return [...used.values()].reduce((sum, cpuMs) => sum + cpuMs, 0);
  };
}

function toUsage(running: readonly ListedProcess[], cpuMs: number): TreeUsage {
  const memoryBytes = running.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
  // Who shares which pages is not told, so shared ones count for each.
  return {
    processes: running.length,
    cpuMs,
    memoryUpperBytes: memoryBytes,
    exactMemoryBytes: () => memoryBytes,
    disk: null,
  };
}
