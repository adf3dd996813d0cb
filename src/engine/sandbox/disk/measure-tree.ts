// How much room a directory takes in which a command works meanwhile. Links are never followed, not even where a directory is
// swapped for one in the middle; a file with several names counts once.
import { type BigIntStats, closeSync, constants, lstatSync, openSync } from 'node:fs';
import { listEntries, toEntryPath } from '../list-entries.ts';
import { toErrorCode } from '../to-error-code.ts';
import { bytesPerEntry } from './pace-walks.ts';
import { takeTurns } from './take-turns.ts';

export interface Measured {
  readonly bytes: number;
  /** Nothing was hidden from the look: no directory was shut, and none lay too deep. */
  readonly isWhole: boolean;
}

export interface MeasureOptions {
  /** What is over it need not be exact. */
  readonly enoughBytes: number;
  readonly signal: AbortSignal;
}

/** Never rejects; what is gone meanwhile takes no room. */
export async function measureTree(path: string, options: MeasureOptions): Promise<Measured> {
  const walk = new Walk(options);
  await walk.enter(path, 0);
  return walk;
}

/** Each level holds two descriptors, and a command can make more levels than there are descriptors. */
const maxDepth = 40;
/** What a file occupies is told in these, whatever its file system is made of. */
export const bytesPerBlock = 512;

class Walk {
  bytes = 0;
  isWhole = true;
  readonly #options: MeasureOptions;
  readonly #turns = takeTurns();
  /** Of those that have further names. */
  readonly #counted = new Set<bigint>();

  constructor(options: MeasureOptions) {
    this.#options = options;
  }

  async enter(path: string | Buffer, depth: number): Promise<void> {
    try {
      if (depth > maxDepth) this.isWhole = false;
      else await this.#goThrough(path, depth);
    } catch (error) {
      if (!isGone(error)) this.isWhole = false;
    }
  }

  async #goThrough(path: string | Buffer, depth: number): Promise<void> {
    const { enoughBytes, signal } = this.#options;
    using directory = hold(path);
    for (const { name } of listEntries(directory)) {
      await this.#turns.pass();
      if (signal.aborted || this.bytes > enoughBytes) return;
      const entry = toEntryPath(directory, name);
      const stats = lstatSync(entry, { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined) this.#count(stats);
      if (stats?.isDirectory()) await this.enter(entry, depth + 1);
    }
  }

  #count(stats: BigIntStats): void {
    const hasOtherNames = stats.nlink > 1n && !stats.isDirectory();
    if (hasOtherNames && this.#counted.has(stats.ino)) return;
    if (hasOtherNames) this.#counted.add(stats.ino);
    this.bytes += Number(stats.blocks) * bytesPerBlock + bytesPerEntry;
  }
}

interface Held extends Disposable {
  readonly path: string;
}

const isLinux = process.platform === 'linux';
/** Linux: a descriptor that only names the directory. */
const openByPath = 0o10000000;
const holdFlags = constants.O_DIRECTORY | constants.O_NOFOLLOW | (isLinux ? openByPath : constants.O_RDONLY);

function hold(path: string | Buffer): Held {
  const descriptor = openSync(path, holdFlags);
  // Elsewhere descriptors have no path, and an entry swapped at the wrong moment is looked into.
  const held = isLinux ? `/proc/self/fd/${descriptor}` : path.toString();
  return { path: held, [Symbol.dispose]: () => closeSync(descriptor) };
}

/** Also what has become something else meanwhile. */
function isGone(error: unknown): boolean {
  const code = toErrorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}
