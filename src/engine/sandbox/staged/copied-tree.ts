// A copy that a command worked in, as it is compared with the workspace: all of it is looked at, and what still is as it was
// copied is left out.
import { lstatSync } from 'node:fs';
import { type HeldDirectory, openHeldDirectory } from '../held-directory.ts';
import type { CopyManifest } from './copy-manifest.ts';
import { type Entry, listBytes, lookUpReadable, type StagedDirectory, type StagedTree } from './staged-tree.ts';

/** Whoever opens it closes its root. */
export function openCopiedTree(path: string, manifest: CopyManifest): StagedTree {
  return {
    root: toStaged(openHeldDirectory(path), manifest),
    isForeign: (path, now) => !manifest.isCurrent(path, now),
  };
}

function toStaged(copy: HeldDirectory, manifest: CopyManifest): StagedDirectory {
  return {
    listNames: (path, before) => (before === null ? listBytes(copy) : listTouched(path, copy, manifest)),
    lookUp: (name) => lookUp(copy, name, manifest),
    close: copy.close,
  };
}

/** A directory's own times do not tell what happened deep in it. */
function listTouched(path: string, copy: HeldDirectory, manifest: CopyManifest): Buffer[] {
  const names = listBytes(copy);
  const isTouched = (bytes: Buffer): boolean => {
    const name = bytes.toString('utf8');
    const stats = lstatSync(copy.at(name), { bigint: true, throwIfNoEntry: false });
    return (
      stats === undefined || stats.isDirectory() || !manifest.isUntouched(path === '' ? name : `${path}/${name}`, stats)
    );
  };
  const left = new Set(names.map((bytes) => bytes.toString('utf8')));
  const removed = manifest.namesIn(path).filter((name) => !left.has(name));
  return [...names.filter(isTouched), ...removed.map((name) => Buffer.from(name))];
}

function lookUp(copy: HeldDirectory, name: string, manifest: CopyManifest): Entry<StagedDirectory> | null {
  const at = copy.at(name);
  const found = lookUpReadable(at);
  return found && { ...found, at, open: () => toStaged(copy.open(name), manifest) };
}
