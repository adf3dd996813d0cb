// Takes away from the workspace what a process has made there and may not have made. Nobody can tell its files from those
// that a person made meanwhile, so that nothing is lost: a file is taken away only when a copy of it is on the disk, in the
// engine's home, and only while it is what was judged.
import {
  type BigIntStats,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isSame } from '../sandbox/bound/compare-manifests.ts';
import { toVersion, type Version } from '../sandbox/bound/read-manifest.ts';
import { lookUpReadable } from '../sandbox/staged/staged-tree.ts';
import { readAll, readFlags, sync, withDescriptor, writeAll } from '../sandbox/with-descriptor.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { type EntryPlace, placeEntry } from './place-entry.ts';
import { isSameVersion } from './publish-entry.ts';
import { syncDirectory } from './sync-directory.ts';
import { toUnwritable } from './to-unwritable.ts';

export type SetAside =
  /** It is not there any more. `copy`: where it lies now; null for what has no content. */
  { readonly kind: 'gone'; readonly copy: string | null } | { readonly kind: 'left'; readonly reason: string };

export interface AsideShelf {
  /** Null: nothing was put there. */
  readonly path: string | null;
  take(path: string, version: Version): Promise<SetAside>;
}

const maxMebibytes = 256;

/** `name` is that of the process whose files it takes. */
export function createAsideShelf(root: WorkspaceRoot, name: string): AsideShelf {
  const home = root.findHome();
  let shelf: string | null = null;
  let roomBytes = maxMebibytes * 1024 * 1024;
  const toCopyPath = (path: string): string => {
    shelf ??= makeShelf(home?.path ?? '', name);
    return join(shelf, path);
  };
  return {
    get path() {
      return shelf;
    },
    async take(path, version) {
      if (home === null) return { kind: 'left', reason: 'the engine keeps no home in which it could be put aside' };
      if (version.kind === 'file' && version.size > roomBytes)
        return { kind: 'left', reason: `no more than ${maxMebibytes} MiB are put aside` };
      const place = placeEntry(root, path);
      if (place.kind === 'gone') return { kind: 'gone', copy: null };
      if (place.kind === 'elsewhere') return { kind: 'left', reason: place.reason };
      try {
        const taken = await takeEntry(place, version, () => toCopyPath(path));
        if (taken.kind === 'gone' && version.kind === 'file') roomBytes -= Number(version.size);
        return taken;
      } catch (error) {
        return { kind: 'left', reason: toUnwritable(error, path).reason };
      } finally {
        place.close();
      }
    },
  };
}

function makeShelf(home: string, name: string): string {
  mkdirSync(join(home, 'set-aside'), { recursive: true, mode: 0o700 });
  return mkdtempSync(join(home, 'set-aside', `${name}-`));
}

const changed: SetAside = { kind: 'left', reason: 'somebody has changed it since the process ended' };

async function takeEntry(
  { directory, name, stats }: Extract<EntryPlace, { kind: 'entry' }>,
  version: Version,
  toCopyPath: () => string,
): Promise<SetAside> {
  const at = directory.at(name);
  if (stats === undefined) return { kind: 'gone', copy: null };
  if (stats.isDirectory() && version.kind === 'directory') {
    rmdirSync(at); // Whatever its mode is by now; one that holds something stays.
    return { kind: 'gone', copy: null };
  }
  if (!isSame(toVersion(stats), version)) return changed;
  const copy = await copyEntry(at, stats, toCopyPath);
  if (copy === 'changed') return changed;
  unlinkSync(at);
  await syncDirectory(directory);
  return { kind: 'gone', copy };
}

/** Where it lies; null for what has no content. */
async function copyEntry(at: string, stats: BigIntStats, toCopyPath: () => string): Promise<string | null | 'changed'> {
  if (!stats.isFile() && !stats.isSymbolicLink()) return isSameVersion(at, stats) ? null : 'changed';
  const copy = toCopyPath();
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(at, { encoding: 'buffer' }), copy);
    return isSameVersion(at, stats) ? copy : 'changed';
  }
  // Its owner may have shut it to everybody.
  lookUpReadable(at);
  const readable = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (readable?.ino !== stats.ino || readable.mtimeNs !== stats.mtimeNs) return 'changed';
  const bytes = await withDescriptor(at, { flags: readFlags }, (descriptor) =>
    readAll(descriptor, Number(stats.size), Number(stats.size)),
  );
  if (bytes === null) return 'changed';
  await withDescriptor(copy, { flags: createFlags, mode: 0o600 }, async (descriptor) => {
    await writeAll(descriptor, bytes);
    await sync(descriptor);
  });
  return isSameVersion(at, readable) ? copy : 'changed';
}

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
