// Compares what a command left with the workspace, and tells every path that is different, once. What is told can be made
// one after the other: a directory comes before what is new in it, and after what is removed from it.
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { type HeldDirectory, openHeldDirectory } from '../held-directory.ts';
import type { ChangedEntry, Leavings, LostChange } from '../sandbox.ts';
import { toErrorCode } from '../to-error-code.ts';
import { ChangeCollector, type Side } from './change-collector.ts';
import { isSameEntry, readEntry } from './read-entry.ts';
import {
  type Entry,
  listBytes,
  lookUpHeld,
  ownerRights,
  type StagedDirectory,
  type StagedTree,
} from './staged-tree.ts';

export interface CompareOptions {
  /** Stays the caller's to close. */
  readonly tree: StagedTree;
  /** Real path. */
  readonly workspace: string;
  /** Relative paths that did not exist for the command. What lies there in the workspace is not looked into. */
  readonly hidden: readonly string[];
}

export async function compareTrees(options: CompareOptions): Promise<Leavings> {
  const comparison = new Comparison(options);
  await comparison.run();
  return comparison.collector.toLeavings();
}

/** Deeper than anything that people make; each level of the walk holds descriptors. */
const maxDepth = 200;
const maxPathCharacters = 4096;
/** Enough to be quick, and few enough that nobody else waits long for this thread. */
const entriesPerTurn = 100;

class Comparison {
  readonly collector = new ChangeCollector();
  readonly #options: CompareOptions;
  readonly #hidden: ReadonlySet<string>;

  constructor(options: CompareOptions) {
    this.#options = options;
    this.#hidden = new Set(options.hidden);
  }

  async run(): Promise<void> {
    await this.#attempt('.', async () => {
      const workspace = openHeldDirectory(this.#options.workspace);
      try {
        return await this.#walk('', this.#options.tree.root, workspace);
      } finally {
        workspace.close();
      }
    });
  }

  /** Compares everything in a directory, which is there on one side or on both. True when the workspace keeps nothing of it. */
  async #walk(path: string, staged: StagedDirectory | null, before: HeldDirectory | null): Promise<boolean> {
    const names = staged?.listNames(path, before) ?? (before === null ? [] : listBytes(before));
    let isEmptied = true;
    for (const bytes of [...names].sort(Buffer.compare)) {
      if (this.collector.isOver) return false;
      if (this.collector.visit() % entriesPerTurn === 0) await setImmediate();
      const name = bytes.toString('utf8');
      const child = path === '' ? name : `${path}/${name}`;
      const isCleared = await this.#attempt(child, () => this.#visit({ path: child, name, bytes }, staged, before));
      isEmptied &&= isCleared;
    }
    return isEmptied;
  }

  /** True when nothing will lie at the path in the workspace. */
  async #visit(
    { path, name, bytes }: { readonly path: string; readonly name: string; readonly bytes: Buffer },
    staged: StagedDirectory | null,
    directory: HeldDirectory | null,
  ): Promise<boolean> {
    if (!isUtf8(bytes)) return this.#lose(path, 'unfit', 'its name is no text');
    if (isTooDeep(path)) return this.#lose(path, 'unfit', 'it lies too deep, or its path is too long');
    const after = staged?.lookUp(name) ?? null;
    const before = directory === null ? null : lookUpHeld(directory, name);
    if (after === null) return before === null || (!this.#hidden.has(path) && (await this.#remove(path, before)));
    await this.#make(path, after, this.#hidden.has(path) ? null : before);
    return false;
  }

  async #remove(path: string, before: Entry<HeldDirectory>): Promise<boolean> {
    const entry = (await this.#clear(path, before)) ? await this.#read(path, before, 'before') : null;
    if (entry !== null) this.collector.add({ path, before: entry, after: null });
    return entry !== null;
  }

  /** The command left something there. */
  async #make(path: string, left: Entry<StagedDirectory>, before: Entry<HeldDirectory> | null): Promise<void> {
    const after = left.stats.isDirectory() ? { ...left, mode: left.mode | ownerRights } : left;
    if (before !== null && left.stats.isDirectory() && before.stats.isDirectory()) {
      if (left.mode !== before.mode && after.mode !== before.mode) await this.#change(path, after, before);
      await this.#enter(path, left, before);
    } else if (before === null || !(await isSameEntry(left, before))) {
      const isMade = await this.#change(path, after, before);
      if (isMade && left.stats.isDirectory()) await this.#enter(path, left, null);
    }
  }

  /** True when it is told. Nothing is told of what lies in it but removals. */
  async #change(path: string, after: Entry<unknown>, before: Entry<HeldDirectory> | null): Promise<boolean> {
    const made = await this.#read(path, after, 'after');
    if (made === null) return false;
    const isKept = made.kind === 'directory' && before?.stats.isDirectory() === true;
    if (!isKept && !(await this.#clear(path, before))) return false;
    const replaced = before === null ? null : await this.#read(path, before, 'before');
    if (before !== null && replaced === null) return false;
    this.collector.add({ path, before: replaced, after: made });
    return true;
  }

  /** Tells the removal of everything in a directory. True when the place may be taken. */
  async #clear(path: string, before: Entry<HeldDirectory> | null): Promise<boolean> {
    if (before?.stats.isDirectory() === true) {
      return (await this.#enter(path, null, before)) || this.#lose(path, 'unfit', 'something in it stays');
    }
    const isForeign = this.#options.tree.isForeign(path, before?.stats ?? null);
    return !isForeign || this.#lose(path, 'conflict', 'somebody else changed it while the command ran');
  }

  async #enter(path: string, after: Entry<StagedDirectory> | null, before: Entry<HeldDirectory> | null) {
    const staged = after?.open() ?? null;
    try {
      const held = before?.open() ?? null;
      try {
        return await this.#walk(path, staged, held);
      } finally {
        held?.close();
      }
    } finally {
      staged?.close();
    }
  }

  async #read(path: string, entry: Entry<unknown>, side: Side): Promise<ChangedEntry | null> {
    const read = await readEntry(entry, this.collector.room(side));
    if (read.kind === 'read') return read.entry;
    if (read.kind === 'too-large') this.collector.exceedBytes(side);
    else if (read.kind === 'unfit') this.#lose(path, 'unfit', read.reason);
    else this.#lose(path, 'conflict', 'somebody else changed it while it was compared');
    return null;
  }

  /** What the file system refuses costs this path and what lies in it, and nothing else. */
  async #attempt(path: string, compare: () => Promise<boolean>): Promise<boolean> {
    try {
      return await compare();
    } catch (error) {
      const code = toErrorCode(error);
      if (changedCodes.has(code)) return this.#lose(path, 'conflict', 'somebody else changed it while it was compared');
      if (!/^E[A-Z0-9]+$/.test(code)) throw error;
      return this.#lose(path, 'unfit', code === 'EACCES' ? 'this user may not read what lies there' : code);
    }
  }

  #lose(path: string, kind: LostChange['kind'], reason: string): false {
    this.collector.lose({ path, kind, reason });
    return false;
  }
}

const changedCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ESTALE']);

function isTooDeep(path: string): boolean {
  return path.length > maxPathCharacters || path.split('/').length > maxDepth;
}
