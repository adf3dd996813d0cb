// A new content beside its place, under a name of its own until it is whole and on the disk. Whatever comes of it then,
// nothing stays under that name.
import { type BigIntStats, constants, fchmodSync, fchownSync, fstatSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { passCrashPoint } from '../journal/crash-point.ts';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import { sync, withDescriptor, writeAll } from '../sandbox/with-descriptor.ts';
import { createTemporaryName, isLeftover } from './temporary-name.ts';

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const newFileMode = 0o644;
/** Until it has the permissions of the file it replaces: nobody may read meanwhile what they could not read before. */
const privateMode = 0o600;
const permissionBits = 0o777n;

export interface TemporaryFile {
  readonly directory: HeldDirectory;
  readonly bytes: Uint8Array;
  /** The file it is to take the place of: its permissions are kept, and its owner where this user may. */
  readonly like: BigIntStats | null;
  /** Its permissions, if they are not to be those of `like` or of any new file. */
  readonly mode?: number;
}

/** Writes and syncs the file, then lets `publish` give it its name; true when it did. */
export async function withTemporaryFile(file: TemporaryFile, publish: (path: string) => boolean): Promise<boolean> {
  const path = file.directory.at(createTemporaryName());
  try {
    await writeWhole(path, file);
    passCrashPoint('before-rename');
    const isPublished = publish(path);
    passCrashPoint('after-rename');
    return isPublished;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Removes what killed processes left in the directory. */
export async function discardLeftovers(directory: HeldDirectory): Promise<void> {
  const names = await readdir(directory.at('.'));
  for (const name of names.filter(isLeftover)) rmSync(directory.at(name), { force: true });
}

async function writeWhole(path: string, { bytes, like, mode }: TemporaryFile): Promise<void> {
  const firstMode = like === null && mode === undefined ? newFileMode : privateMode;
  await withDescriptor(path, { flags: createFlags, mode: firstMode }, async (descriptor) => {
    await writeAll(descriptor, bytes);
    if (like !== null) takeOver(descriptor, like);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    await sync(descriptor);
  });
}

function takeOver(descriptor: number, like: BigIntStats): void {
  const own = fstatSync(descriptor, { bigint: true });
  if (own.uid !== like.uid || own.gid !== like.gid) giveAway(descriptor, like);
  const mode = like.mode & permissionBits;
  if ((own.mode & permissionBits) !== mode) fchmodSync(descriptor, Number(mode));
}

/** Only a privileged user may give a file away; for anyone else it becomes theirs, as with any editor. */
function giveAway(descriptor: number, { uid, gid }: BigIntStats): void {
  try {
    fchownSync(descriptor, Number(uid), Number(gid));
  } catch {
    // It stays theirs.
  }
}
