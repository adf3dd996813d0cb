// What became of a workspace between two looks at it, path by path. A directory is a place: it counts as changed by its
// kind and mode alone, as what lies in it is told by itself.
import type { Manifest, Version } from './read-manifest.ts';

export interface ManifestChange {
  readonly path: string;
  /** Null: it was not there. */
  readonly before: Version | null;
  /** Null: it is not there any more. */
  readonly now: Version | null;
}

/** Parents before what lies in them. Where the later look is not whole, nobody can say what is gone. */
export function compareManifests(before: Manifest, now: Manifest): ManifestChange[] {
  const changes: ManifestChange[] = [];
  for (const [path, version] of now.entries) {
    const old = before.entries.get(path) ?? null;
    if (old === null || !isSame(old, version)) changes.push({ path, before: old, now: version });
  }
  for (const [path, version] of now.isWhole ? before.entries : []) {
    if (!now.entries.has(path)) changes.push({ path, before: version, now: null });
  }
  return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Every change of a content, a mode or an owner alters one of these. */
export function isSame(one: Version, other: Version): boolean {
  if (one.kind !== other.kind || one.mode !== other.mode) return false;
  if (one.kind === 'directory') return true;
  const keys = ['device', 'inode', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return keys.every((key) => one[key] === other[key]);
}
