// The processes of a command that has no namespace of its own: told from all others by where they came from.

import { followProcessTree } from '../process/process-tree.ts';
import type { StartedChild } from '../process/start-child.ts';
import type { DiskMeter } from './disk/disk-meter.ts';
import type { SandboxTree } from './launch.ts';
import { createProcessMeter } from './measure-processes.ts';

export interface PlainTreeOptions {
  readonly child: StartedChild;
  /** The value of `treeVariable` in the environment of the command; null where it has none. */
  readonly mark: string | null;
  /** A user that nobody else is: whatever runs as it is a member. Null where the command runs as the engine's own. */
  readonly uid: number | null;
  /** Where what it writes is to be measured. */
  readonly disk?: Pick<DiskMeter, 'look'>;
}

/** How old what is seen may be: everyone who looks within this time shares one reading. */
const maxAgeMs = 5;

/** Call it in the same turn in which the child was started, while it cannot have been reaped. */
export function createPlainTree({ child, mark, uid, disk }: PlainTreeOptions): SandboxTree {
  const tree = followProcessTree({ pid: child.pid, isAlive: child.isAlive, mark, uid });
  const meter = createProcessMeter();
  return {
    measure() {
      const rows = tree.members(maxAgeMs);
      const pids = rows.flatMap(({ pid, ended }) => (ended ? [] : pid));
      return pids.length > 0 ? { ...meter.measure(rows), disk: disk?.look(pids) ?? null } : null;
    },
    kill: tree.kill,
    isGone: () => !tree.isRunning(),
  };
}
