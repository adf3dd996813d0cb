// What of the workspace a command must not find: everything whose reading the policy denies. It is asked before every
// command, so that of a directory that has stayed as it was only the times are looked at again.
import { type BigIntStats, lstatSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../../shared/engine-error.ts';
import type { Stance } from '../policy/policy.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import { DirectoryListing } from './directory-listing.ts';
import type { HomeIdentity, WorkspaceRoot } from './open-workspace-root.ts';

/** More takes longer to look through than anybody waits for a command to begin. */
const maxEntries = 1_000_000;
/** Enough to be quick, and few enough that nobody else waits long for this thread. */
const directoriesPerTurn = 200;

export class HiddenPaths {
  readonly #root: WorkspaceRoot;
  #listings: ReadonlyMap<string, DirectoryListing> = new Map();

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  /** Relative paths; of a directory that is hidden as a whole nothing else is named. Throws `workspace-unusable`. */
  async find(stance: Stance): Promise<readonly string[]> {
    this.#root.assertOpen();
    const walk = new HiddenWalk(this.#root, stance, this.#listings);
    const turns = walk.enter('.', false);
    let turn = turns.next();
    for (; !turn.done; turn = turns.next()) await setImmediate();
    this.#listings = walk.listings;
    return turn.value.hidden;
  }
}

interface Found {
  readonly hidden: readonly string[];
  /** Something in the directory may be read. */
  readonly isVisible: boolean;
}

class HiddenWalk {
  /** Those that were come by, for the next walk. */
  readonly listings = new Map<string, DirectoryListing>();
  readonly #root: WorkspaceRoot;
  readonly #home: HomeIdentity | null;
  readonly #stance: Stance;
  readonly #known: ReadonlyMap<string, DirectoryListing>;
  #entries = 0;

  constructor(root: WorkspaceRoot, stance: Stance, known: ReadonlyMap<string, DirectoryListing>) {
    this.#root = root;
    this.#home = root.findHome();
    this.#stance = stance;
    this.#known = known;
  }

  /** Yields where others may have the thread for a moment. */
  *enter(path: string, isFolded: boolean): Generator<undefined, Found> {
    const listing = this.#list(path);
    if (listing === 'gone') return { hidden: [], isVisible: false };
    if (listing === 'closed') return { hidden: [path], isVisible: false };
    if (this.listings.size % directoriesPerTurn === 0) yield;
    const { denied, directories, isFolded: isFoldedBelow, ...judged } = listing.judge(isFolded, this.#stance);
    const hidden = [...denied];
    let { isVisible } = judged;
    for (const directory of directories) {
      const below = yield* this.enter(directory.path, isFoldedBelow);
      isVisible ||= below.isVisible;
      const isHiddenWhole = !directory.isVisible && !below.isVisible;
      for (const each of isHiddenWhole ? [directory.path] : below.hidden) hidden.push(each);
    }
    return { hidden, isVisible };
  }

  /** `closed`: the engine's own directory, or one that cannot be looked into, so that nobody can tell what is in it. */
  #list(path: string): DirectoryListing | 'gone' | 'closed' {
    try {
      // By its path, as the sandbox takes it: what lies there is what a command would find.
      const at = path === '.' ? this.#root.identity.path : `${this.#root.identity.path}/${path}`;
      const stats = lstatSync(at, { bigint: true });
      if (!stats.isDirectory()) return 'gone';
      if (this.#home !== null && isHome(stats, this.#home)) return 'closed';
      const known = this.#known.get(path);
      const listing = known?.isCurrent(stats) ? known : new DirectoryListing(path, at, stats);
      this.#count(listing);
      this.listings.set(path, listing);
      return listing;
    } catch (error) {
      if (error instanceof EngineError || path === '.') throw error;
      return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(toErrorCode(error)) ? 'gone' : 'closed';
    }
  }

  #count(listing: DirectoryListing): void {
    this.#entries += listing.size;
    if (this.#entries <= maxEntries) return;
    throw new EngineError('workspace-unusable', `The workspace has more than ${maxEntries} files and directories.`, {
      remedy: 'Run commands in a directory with fewer files: what a command may not read has to be looked for first.',
    });
  }
}

function isHome({ dev, ino }: BigIntStats, { device, inode }: HomeIdentity): boolean {
  return dev === device && ino === inode;
}
