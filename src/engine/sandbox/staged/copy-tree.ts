// Makes a private copy of a workspace. Links are copied as links and never followed, whatever becomes of a directory
// meanwhile; devices, pipes, sockets and names that are no text are left out.
import { isUtf8 } from 'node:buffer';
import { type BigIntStats, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Owner } from '../box-files.ts';
import { type HeldDirectory, openHeldDirectory } from '../held-directory.ts';
import { toErrorCode } from '../to-error-code.ts';
import { copyEntry, isSkipped, takeAttributes } from './copy-entry.ts';
import { CopyManifest } from './copy-manifest.ts';
import { type Entry, listBytes, lookUpHeld } from './staged-tree.ts';

export interface CopyOptions {
  /** Real path. */
  readonly workspace: string;
  /** Relative paths that do not exist for the command. */
  readonly hidden: readonly string[];
  /** An existing directory that nobody else may enter; the copy is made in it, and whoever removes it removes the copy. */
  readonly into: string;
  /** Who the copy belongs to; null: the engine's own user. */
  readonly owner: Owner | null;
  /** `any`: for a copy that a person wants, and that is no command's; by default it is bounded. */
  readonly size?: 'bounded' | 'any';
  /** Why it is copied, as the end of a sentence, for whoever is told that it is too large; by default: for a command. */
  readonly because?: string;
  /** When it is wanted no more. */
  readonly signal?: AbortSignal;
}

export interface CopiedTree {
  readonly kind: 'copied';
  readonly path: string;
  readonly manifest: CopyManifest;
}

/** A workspace that is too large to be copied for a command, or cannot be. */
export interface CopyRefused {
  readonly kind: 'refused';
  readonly reason: string;
}

const maxEntries = 100_000;
const maxMebibytes = 1024;
/** Enough to be quick, and few enough that nobody else waits long for this thread. */
const entriesPerTurn = 100;

export async function copyTree(options: CopyOptions): Promise<CopiedTree | CopyRefused> {
  const path = join(options.into, 'workspace');
  const copying = new Copying(options);
  try {
    const workspace = openHeldDirectory(options.workspace);
    try {
      await copying.enter('', workspace, path, lstatSync(workspace.at('.'), { bigint: true }));
    } finally {
      workspace.close();
    }
  } catch (error) {
    return { kind: 'refused', reason: `the workspace could not be copied: ${toErrorCode(error)}` };
  }
  const { excess, manifest } = copying;
  return excess === null ? { kind: 'copied', path, manifest } : { kind: 'refused', reason: excess };
}

class Copying {
  readonly manifest = new CopyManifest();
  readonly #hidden: ReadonlySet<string>;
  readonly #owner: Owner | null;
  readonly #isBounded: boolean;
  readonly #because: string;
  readonly #signal: AbortSignal | undefined;
  /** Why it goes no further; null while it does. */
  excess: string | null = null;
  #entries = 0;
  #bytes = 0;

  constructor({ hidden, owner, size = 'bounded', because = forCommand, signal }: CopyOptions) {
    this.#isBounded = size === 'bounded';
    this.#hidden = new Set(hidden);
    this.#owner = owner;
    this.#because = because;
    this.#signal = signal;
  }

  /** Makes the directory `to` with what is in the held one. */
  async enter(path: string, from: HeldDirectory, to: string, stats: BigIntStats): Promise<void> {
    mkdirSync(to, { mode: 0o700 });
    for (const bytes of listReadable(from)) {
      const name = bytes.toString('utf8');
      const child = path === '' ? name : `${path}/${name}`;
      const entry = isUtf8(bytes) && !this.#hidden.has(child) ? lookUpHeld(from, name) : null;
      if (entry === null || !this.#hasRoom(entry.stats)) continue;
      if (this.#entries % entriesPerTurn === 0) await setImmediate();
      const copy = join(to, name);
      if (!(await this.#copy(child, entry, copy))) continue;
      this.manifest.add(path, name, entry.stats, lstatSync(copy, { bigint: true }));
    }
    takeAttributes(to, stats, this.#owner);
  }

  /** False where nothing was copied. */
  async #copy(path: string, entry: Entry<HeldDirectory>, to: string): Promise<boolean> {
    if (entry.stats.isDirectory()) return await this.#copyDirectory(path, entry, to);
    if (!(await copyEntry(entry, to))) return false;
    takeAttributes(to, entry.stats, this.#owner);
    return true;
  }

  async #copyDirectory(path: string, { open, stats }: Entry<HeldDirectory>, to: string): Promise<boolean> {
    const from = hold(open);
    try {
      if (from !== null) await this.enter(path, from, to, stats);
    } finally {
      from?.close();
    }
    return from !== null;
  }

  #hasRoom({ size }: BigIntStats): boolean {
    this.#entries++;
    this.#bytes += Number(size);
    if (this.#signal?.aborted) this.excess ??= 'nobody wants the copy of the workspace any more';
    if (!this.#isBounded) return this.excess === null;
    if (this.#entries > maxEntries) this.excess ??= tooLarge(`${maxEntries} files and directories`, this.#because);
    if (this.#bytes > maxMebibytes * 1024 * 1024) this.excess ??= tooLarge(`${maxMebibytes} MiB`, this.#because);
    return this.excess === null;
  }
}

function hold(open: () => HeldDirectory): HeldDirectory | null {
  try {
    return open();
  } catch (error) {
    if (isSkipped(error)) return null;
    throw error;
  }
}

/** A directory that may not be listed looks empty; the command may not list it either. */
function listReadable(directory: HeldDirectory): Buffer[] {
  try {
    return listBytes(directory);
  } catch (error) {
    if (isSkipped(error)) return [];
    throw error;
  }
}

const forCommand = 'without overlays each command works in a copy of it';

function tooLarge(limit: string, because: string): string {
  return `the workspace has more than ${limit}, and ${because}`;
}
