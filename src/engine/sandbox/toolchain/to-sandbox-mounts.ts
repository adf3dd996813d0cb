// Everything that a command sees of this machine beside the system: toolchains, their downloads, and what the person added.
import { join } from 'node:path';
import type { Mount, Toolchain } from './toolchain.ts';

/** The shortest target first, because one may lie in another; of two for one place the person's own stands. */
export function toSandboxMounts(
  toolchains: readonly Toolchain[],
  extraMounts: readonly Mount[],
  temporary = '/tmp',
): readonly Mount[] {
  const caches = toolchains.flatMap((toolchain) =>
    toolchain.caches.map(({ source, below }): Mount => ({ source, target: join(temporary, below) })),
  );
  const all = [...toolchains.flatMap(({ mounts }) => mounts), ...caches, ...extraMounts];
  const byTarget = new Map(all.map((mount) => [mount.target, mount]));
  return [...byTarget.values()].sort((one, other) => one.target.length - other.target.length);
}
