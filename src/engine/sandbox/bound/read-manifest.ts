// What lies in a workspace at one moment: every entry by its path, with all that tells whether it was touched. Directories
// are held while they are looked at, so that nobody who works there meanwhile can lead the look elsewhere.
import { type BigIntStats, chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type HeldDirectory, openHeldDirectory } from '../held-directory.ts';
import { ownerRights } from '../staged/staged-tree.ts';

export interface Version {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly device: bigint;
  readonly inode: bigint;
  /** Permission bits. */
  readonly mode: number;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export interface ManifestOptions {
  /** Real path. */
  readonly workspace: string;
  readonly maxEntries: number;
  /** Asked of a directory before it is asked of what lies in it. */
  readonly visit: (path: string, version: Version) => Visit;
  /** A directory that shuts its owner out is opened again: whoever worked there could have shut it. */
  readonly reopens?: boolean;
}

export interface Visit {
  /** Whether it is part of the manifest. */
  readonly isNoted: boolean;
  /** Of a directory: whether it is looked into. */
  readonly isEntered: boolean;
}

export interface Manifest {
  readonly entries: ReadonlyMap<string, Version>;
  /** False: there is more than `maxEntries`. */
  readonly isWhole: boolean;
  /** Directories that could not be looked into, and places of names that are no text. */
  readonly unread: readonly string[];
}

/** Enough to be quick, and few enough that nobody else waits long for this thread. */
const entriesPerTurn = 500;
/** Deeper than anything that people make; each level holds a descriptor. */
const maxDepth = 200;

export async function readManifest(options: ManifestOptions): Promise<Manifest> {
  const walk = new ManifestWalk(options);
  const root = openHeldDirectory(options.workspace);
  try {
    const turns = walk.enter('.', root, 0);
    while (!turns.next().done) await setImmediate();
  } finally {
    root.close();
  }
  return walk;
}

export function toVersion(stats: BigIntStats): Version {
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = stats;
  return { kind: toKind(stats), device: dev, inode: ino, mode: Number(mode & 0o7777n), size, mtimeNs, ctimeNs };
}

class ManifestWalk implements Manifest {
  readonly entries = new Map<string, Version>();
  readonly unread: string[] = [];
  isWhole = true;
  readonly #options: ManifestOptions;
  #looked = 0;

  constructor(options: ManifestOptions) {
    this.#options = options;
  }

  /** Yields where others may have the thread for a moment. */
  *enter(path: string, directory: HeldDirectory, depth: number): Generator<undefined, void> {
    for (const name of this.#list(path, directory)) {
      if (this.#looked >= this.#options.maxEntries) this.isWhole = false;
      if (!this.isWhole) return;
      if (++this.#looked % entriesPerTurn === 0) yield;
      const child = path === '.' ? name : `${path}/${name}`;
      const version = this.#look(child, directory.at(name));
      if (version === null) continue;
      const { isNoted, isEntered } = this.#options.visit(child, version);
      if (isNoted) this.entries.set(child, version);
      if (isEntered && version.kind === 'directory') yield* this.#enterChild(child, directory, { name, depth });
    }
  }

  /** Null where nothing is any more. */
  #look(path: string, at: string): Version | null {
    try {
      const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined) return toVersion(stats);
      // What stands for bytes that are no text is no name by which anything could be found.
      if (path.includes('\ufffd')) this.unread.push(path);
    } catch {
      this.unread.push(path);
    }
    return null;
  }

  *#enterChild(
    path: string,
    above: HeldDirectory,
    { name, depth }: { readonly name: string; readonly depth: number },
  ): Generator<undefined, void> {
    const directory = depth < maxDepth ? this.#open(above, name) : null;
    if (directory === null) {
      this.unread.push(path);
      return;
    }
    try {
      yield* this.enter(path, directory, depth + 1);
    } finally {
      directory.close();
    }
  }

  /** Null where it cannot be held; what is no directory any more is somebody else's doing, and is looked at by its own name. */
  #open(above: HeldDirectory, name: string): HeldDirectory | null {
    try {
      return above.open(name);
    } catch {
      return null;
    }
  }

  #list(path: string, directory: HeldDirectory): string[] {
    try {
      if (this.#options.reopens === true) reopen(directory);
      return readdirSync(directory.at('.'));
    } catch {
      this.unread.push(path);
      return [];
    }
  }
}

/** By the descriptor alone: a directory that may not be searched has no `.` for its owner either. */
function reopen(directory: HeldDirectory): void {
  const { mode } = statSync(directory.at(''));
  if ((mode & ownerRights) !== ownerRights) chmodSync(directory.at(''), (mode & 0o7777) | ownerRights);
}

function toKind(stats: BigIntStats): Version['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}
