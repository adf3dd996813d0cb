// The private directory that is home and temporary directory of a command. Nothing can be mounted in it, so what has to
// appear there is linked to.
import { chown, lchown, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Owner } from '../box-files.ts';
import type { StartFailure } from '../launch.ts';
import type { Mount } from '../toolchain/toolchain.ts';

export interface Temporary {
  readonly kind: 'temporary';
  readonly path: string;
  readonly mounts: readonly Mount[];
}

/** Makes it in `scratch`. `listMounts` says what has to be readable, given where the temporary directory is. */
export async function layOutTemporary(
  scratch: string,
  owner: Owner | null,
  listMounts: (temporary: string) => readonly Mount[],
): Promise<Temporary | StartFailure> {
  const path = join(scratch, 'tmp');
  await mkdir(path, { mode: 0o700 });
  const mounts = listMounts(path);
  for (const { source, target } of mounts) {
    if (source === target) continue;
    if (!target.startsWith(`${path}/`)) return elsewhere(source, target);
    await mkdir(dirname(target), { recursive: true });
    await symlink(source, target);
    if (owner !== null) await lchown(target, owner.uid, owner.gid);
  }
  if (owner !== null)
    await giveDirectories(
      path,
      mounts.map(({ target }) => target),
      owner,
    );
  return { kind: 'temporary', path, mounts };
}

/** The temporary directory itself and every directory on the way to something in it. */
async function giveDirectories(path: string, targets: readonly string[], owner: Owner): Promise<void> {
  const directories = new Set([path]);
  for (const target of targets) {
    for (let each = dirname(target); each.startsWith(`${path}/`); each = dirname(each)) directories.add(each);
  }
  for (const directory of directories) await chown(directory, owner.uid, owner.gid);
}

function elsewhere(source: string, target: string): StartFailure {
  return {
    kind: 'not-started',
    stage: 'toolchain',
    reason: `${source} can be shown at its own path only, not as ${target}`,
    advice: 'Mount it at its own path, or install bubblewrap.',
  };
}
