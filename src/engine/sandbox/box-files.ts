// The files of an ephemeral directory: put there before the command starts, and taken out when nothing of it runs any more.
// Only regular files under their own names come out: a link that the command left leads nowhere.
import { constants, lstatSync } from 'node:fs';
import { chmod, chown, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoxFile } from './sandbox.ts';
import { toParents } from './to-parents.ts';

/** Where an ephemeral directory lies, as the command sees it, wherever that can be chosen. */
export const boxPath = '/box';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Writes the files below `directory`, which is empty and nobody else's; null: they stay the engine's own. */
export async function writeBoxFiles(directory: string, files: readonly BoxFile[], owner: Owner | null): Promise<void> {
  const own = async (path: string): Promise<void> => {
    if (owner !== null) await chown(path, owner.uid, owner.gid);
  };
  const made = new Set<string>(['.']);
  for (const file of files) {
    for (const parent of toParents(file.path)) {
      if (made.has(parent)) continue;
      await mkdir(join(directory, parent));
      await own(join(directory, parent));
      made.add(parent);
    }
    const path = join(directory, file.path);
    await writeFile(path, file.bytes, { flag: 'wx' });
    await chmod(path, file.mode);
    await own(path);
  }
}

/** What is there of the named files; one that is missing, no regular file or over `maxBytes` is left out. */
export async function collectBoxFiles(
  directory: string,
  names: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const name of names) {
    const bytes = await readRegular(directory, name, maxBytes);
    if (bytes !== null) files.set(name, bytes);
  }
  return files;
}

async function readRegular(directory: string, name: string, maxBytes: number): Promise<Uint8Array | null> {
  const isPlain = (path: string): boolean =>
    lstatSync(join(directory, path), { throwIfNoEntry: false })?.isDirectory() === true;
  if (!toParents(name).every(isPlain)) return null;
  const handle = await open(join(directory, name), readFlags).catch(() => null);
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await handle.readFile() : null;
  } finally {
    await handle.close();
  }
}

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
