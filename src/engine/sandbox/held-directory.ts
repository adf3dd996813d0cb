// A directory that stays the same directory, however its path is renamed or replaced meanwhile. On Linux it is held by an
// open descriptor and its children are named through `/proc/self/fd`, which amounts to the `*at` system calls: a parent
// swapped for a link cannot redirect what follows. Elsewhere it is held by its path, and that race remains.
import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';

export interface HeldDirectory {
  readonly device: bigint;
  readonly inode: bigint;
  /** A path by which the file system reaches this directory's entry `name`; `.` is the directory itself. */
  at(name: string): string;
  /** Holds an entry that must be a directory itself; a link is never followed. */
  open(name: string): HeldDirectory;
  close(): void;
}

const isLinux = process.platform === 'linux';
/** Linux: a descriptor that only names the directory, for which search permission is enough. */
const openByPath = 0o10000000;
const holdFlags = constants.O_DIRECTORY | constants.O_NOFOLLOW | (isLinux ? openByPath : constants.O_RDONLY);

/** Holds the directory at `path`, whose last part must not be a link. Throws what the file system says. */
export function openHeldDirectory(path: string): HeldDirectory {
  return isLinux ? holdByDescriptor(path) : holdByPath(path);
}

function holdByDescriptor(path: string): HeldDirectory {
  const descriptor = openSync(path, holdFlags);
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  const at = (name: string) => `/proc/self/fd/${descriptor}/${name}`;
  let isOpen = true;
  return {
    device: dev,
    inode: ino,
    at,
    open: (name) => holdByDescriptor(at(name)),
    close: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function holdByPath(path: string): HeldDirectory {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isDirectory()) throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  return {
    device: stats.dev,
    inode: stats.ino,
    at: (name) => join(path, name),
    open: (name) => holdByPath(join(path, name)),
    close: () => undefined,
  };
}
