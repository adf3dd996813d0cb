// The processes of a command as its control group counts them, in place of what looking at each of them comes to. What the
// group does not tell is told by them as before.
import type { SandboxTree } from '../launch.ts';
import type { ControlGroup } from './control-group.ts';

/** Call it when the command begins: what its sandbox has used until then is not the command's. */
export function withControlGroup(tree: SandboxTree, group: ControlGroup): SandboxTree {
  const cpuBeforeMs = group.readUsage().cpuMs ?? 0;
  return {
    measure() {
      const looked = tree.measure();
      if (looked === null) return null;
      const { processes, cpuMs, memoryBytes } = group.readUsage();
      return {
        ...looked,
        processes: processes ?? looked.processes,
        cpuMs: cpuMs === null ? looked.cpuMs : cpuMs - cpuBeforeMs,
        ...(memoryBytes === null || !group.keeps.has('memoryBytes') ? {} : toMemory(memoryBytes)),
      };
    },
    kill() {
      group.kill();
      tree.kill();
    },
    isGone: () => group.isEmpty() && tree.isGone(),
    readRefusals: group.readRefusals,
  };
}

/** Also what the kernel would take back before it refuses: nothing is decided by it. */
const toMemory = (bytes: number) => ({ memoryUpperBytes: bytes, exactMemoryBytes: () => bytes });
