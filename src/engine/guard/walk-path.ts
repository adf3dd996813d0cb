// Finds where a path in the workspace really lies, one held directory at a time. Links are read and expanded here, never
// followed by the kernel, so that each of them is seen to stay inside; whoever gets the place closes it.
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { HeldDirectory } from './held-directory.ts';
import { toPartsBelow, type WorkspaceRoot } from './open-workspace-root.ts';
import { toErrorCode } from './to-error-code.ts';

export type Place =
  /** Something is there, and it is not a link: `name` in `directory`, or `directory` itself when `name` is `.`. */
  | (Reached & { readonly kind: 'found'; readonly name: string; readonly stats: BigIntStats })
  /** Nothing is there: `missing` are the parts to create below `directory`, unless an obstacle forbids it. */
  | (Reached & { readonly kind: 'missing'; readonly missing: readonly string[]; readonly obstacle: string | null })
  /** The path leaves the workspace, or it cannot be told where it leads. */
  | { readonly kind: 'outside'; readonly reason: string; close(): void };

interface Reached {
  readonly directory: HeldDirectory;
  /** The real path, relative to the workspace. */
  readonly parts: readonly string[];
  close(): void;
}

export interface WalkOptions {
  readonly root: WorkspaceRoot;
  /** The engine's own directory: nothing in it is reachable, by whatever path or mount. */
  readonly home: { readonly device: bigint; readonly inode: bigint } | null;
}

interface Component {
  readonly name: string;
  readonly fromLink: boolean;
}

/** As many as Linux allows. */
const maxLinks = 40;

/** Walks from the root. Expected obstacles are part of the place; nothing is created, and nothing but directories opened. */
export function walkPath(options: WalkOptions, parts: readonly string[]): Place {
  const held: HeldDirectory[] = [];
  try {
    const place = new Walk(options, held, parts).run();
    if (place.kind !== 'outside') held.splice(held.indexOf(place.directory), 1);
    return place;
  } catch (error) {
    return outside(toReason(error, parts.join('/')));
  } finally {
    for (const directory of held) directory.close();
  }
}

class Walk {
  readonly #options: WalkOptions;
  /** From the root down; `..` of a link goes back here, as a moved directory's own `..` may lie outside. */
  readonly #held: HeldDirectory[];
  readonly #real: string[] = [];
  #pending: Component[];
  #links = 0;

  constructor(options: WalkOptions, held: HeldDirectory[], parts: readonly string[]) {
    this.#options = options;
    this.#held = held;
    this.#pending = parts.map((name) => ({ name, fromLink: false }));
    held.push(options.root.directory.open('.'));
  }

  run(): Place {
    let component = this.#pending.shift();
    while (component !== undefined) {
      const place = this.#step(component);
      if (place) return place;
      component = this.#pending.shift();
    }
    return this.#found('.', lstatSync(this.#directory.at('.'), { bigint: true }));
  }

  /** Goes one component further; a place when that was the end. */
  #step(component: Component): Place | undefined {
    const { name } = component;
    if (name === '..') return this.#climb();
    const stats = lstatSync(this.#directory.at(name), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return this.#missing(component);
    if (stats.isSymbolicLink()) return this.#expand(name);
    if (stats.isDirectory()) return this.#enter(name);
    if (this.#pending.length === 0) return this.#found(name, stats);
    return this.#missing(component, `${JSON.stringify([...this.#real, name].join('/'))} is not a directory`);
  }

  #climb(): Place | undefined {
    if (this.#held.length === 1) return outside('a link in it leads outside the workspace');
    this.#held.pop()?.close();
    this.#real.pop();
    return undefined;
  }

  #enter(name: string): Place | undefined {
    const directory = this.#directory.open(name);
    this.#held.push(directory);
    this.#real.push(name);
    const { home } = this.#options;
    if (home === null || directory.device !== home.device || directory.inode !== home.inode) return undefined;
    return outside("it is the engine's own directory");
  }

  #expand(name: string): Place | undefined {
    if (++this.#links > maxLinks) return outside(`it leads through more than ${maxLinks} links`);
    const target = readlinkSync(this.#directory.at(name));
    const parts = isAbsolute(target) ? toPartsBelow(this.#options.root.identity.path, target) : target.split('/');
    if (parts === undefined) return outside('a link in it leads outside the workspace');
    if (isAbsolute(target)) while (this.#held.length > 1) this.#climb();
    const components = parts.filter((part) => part !== '' && part !== '.').map((name) => ({ name, fromLink: true }));
    this.#pending = [...components, ...this.#pending];
    return undefined;
  }

  #found(name: string, stats: BigIntStats): Place {
    const parts = name === '.' ? [...this.#real] : [...this.#real, name];
    return { kind: 'found', ...this.#reached(parts), name, stats };
  }

  #missing(component: Component, blockedBy?: string): Place {
    const missing = [component, ...this.#pending].map((each) => each.name);
    const dangling = component.fromLink ? 'it goes through a link to something that does not exist' : null;
    if (missing.includes('..')) return outside('a link in it leads through something that does not exist');
    const parts = [...this.#real, ...missing];
    return { kind: 'missing', ...this.#reached(parts), missing, obstacle: blockedBy ?? dangling };
  }

  #reached(parts: readonly string[]): Reached {
    const directory = this.#directory;
    return { directory, parts, close: directory.close };
  }

  get #directory(): HeldDirectory {
    return this.#held.at(-1) ?? this.#options.root.directory;
  }
}

function outside(reason: string): Place {
  return { kind: 'outside', reason, close: () => undefined };
}

/** What a look-up meets when something was another kind of thing a moment ago. */
const changes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL'];

function toReason(error: unknown, path: string): string {
  const code = toErrorCode(error);
  if (code === 'EACCES' || code === 'EPERM') return `this user has no permission to look up ${JSON.stringify(path)}`;
  if (code === 'ENAMETOOLONG') return 'a name in it is too long for this file system';
  if (changes.includes(code)) return 'it changed while it was looked up';
  return `it cannot be looked up (${code})`;
}
