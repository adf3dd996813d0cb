// Finds where a path really lies, one held directory at a time, below the workspace or below the root of the file system.
// Links are read and expanded here, never followed by the kernel, so that each of them is seen to stay below that root;
// whoever gets the place closes it.
import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { PathAct } from '../../shared/act.ts';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import { alwaysIgnoresLetterCase, ignoresLetterCase } from './ignores-letter-case.ts';
import { toPartsBelow } from './open-workspace-root.ts';
import type { Obstacle, Place, Reached } from './place.ts';

interface DirectoryIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

export interface WalkOptions {
  /** Where the walk begins, and what it never leaves. The root of the file system is its own parent. */
  readonly root: { readonly path: string; readonly directory: HeldDirectory };
  readonly workspace: DirectoryIdentity;
  /** The engine's own directory: nothing in it is reachable, by whatever path or mount. */
  readonly home: DirectoryIdentity | null;
}

interface Component {
  readonly name: string;
  readonly fromLink: boolean;
}

/** As many as Linux allows. */
const maxLinks = 40;

/**
 * Walks from the root; `..` leads to the real parent of where the walk has come to. Expected obstacles are part of the place;
 * nothing is created, and nothing but directories is opened.
 */
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
  /** From the root down; `..` goes back here, as a moved directory's own `..` may lie outside. */
  readonly #held: HeldDirectory[];
  readonly #real: string[] = [];
  #pending: Component[];
  #links = 0;
  #letterCase: PathAct['letterCase'] = alwaysIgnoresLetterCase ? 'ignored' : 'exact';

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
    this.#noteLetterCase(name, stats);
    if (stats === undefined) return this.#skipBack(component) ? undefined : this.#missing(component);
    if (stats.isSymbolicLink()) return this.#expand(name);
    if (stats.isDirectory()) return this.#enter(name);
    if (this.#pending.length === 0) return this.#found(name, stats);
    const reason = `${JSON.stringify([...this.#real, name].join('/'))} is not a directory`;
    return this.#missing(component, { kind: 'file', reason });
  }

  #noteLetterCase(name: string, stats: BigIntStats | undefined): void {
    if (this.#letterCase === 'exact' && ignoresLetterCase(this.#directory, name, stats)) this.#letterCase = 'ignored';
  }

  #climb(): Place | undefined {
    const isAtRoot = this.#held.length === 1;
    if (isAtRoot && this.#options.root.path === '/') return undefined;
    if (isAtRoot) return outside('a link in it leads outside the workspace');
    this.#held.pop()?.close();
    this.#real.pop();
    return undefined;
  }

  #enter(name: string): Place | undefined {
    const directory = this.#directory.open(name);
    this.#held.push(directory);
    this.#real.push(name);
    const { home } = this.#options;
    return home !== null && isSame(directory, home) ? outside("it is the engine's own directory") : undefined;
  }

  #expand(name: string): Place | undefined {
    if (++this.#links > maxLinks) return outside(`it leads through more than ${maxLinks} links`);
    const { path } = this.#options.root;
    if (path === '/' && this.#real[0] === 'proc') return outside('a link in /proc leads each process somewhere else');
    const target = readlinkSync(this.#directory.at(name));
    const parts = isAbsolute(target) ? toPartsBelow(path, target) : target.split('/');
    if (parts === undefined) return outside('a link in it leads outside the workspace');
    if (isAbsolute(target)) while (this.#held.length > 1) this.#climb();
    const components = parts.filter((part) => part !== '' && part !== '.').map((name) => ({ name, fromLink: true }));
    this.#pending = [...components, ...this.#pending];
    return undefined;
  }

  /**
   * `new/../a` of a command means `a`: what is not there yet will be a directory by then. Where a link leads to nothing nobody
   * can tell. True when the walk goes on from here.
   */
  #skipBack(component: Component): boolean {
    if (component.fromLink) return false;
    const below = [component];
    for (const [index, next] of this.#pending.entries()) {
      if (next.name === '..') below.pop();
      else below.push(next);
      if (below.length > 0) continue;
      this.#pending = this.#pending.slice(index + 1);
      return true;
    }
    this.#pending = below.slice(1);
    return false;
  }

  #found(name: string, stats: BigIntStats): Place {
    const parts = name === '.' ? [...this.#real] : [...this.#real, name];
    return { kind: 'found', ...this.#reached(parts), name, stats };
  }

  #missing(component: Component, blockedBy?: Obstacle): Place {
    const missing = [component, ...this.#pending].map((each) => each.name);
    const dangling = component.fromLink ? danglingLink : null;
    if (missing.includes('..')) return outside('it goes back with ".." over something that is no directory');
    const parts = [...this.#real, ...missing];
    return { kind: 'missing', ...this.#reached(parts), missing, obstacle: blockedBy ?? dangling };
  }

  #reached(parts: readonly string[]): Reached {
    const directory = this.#directory;
    const depth = this.#held.findLastIndex((each) => isSame(each, this.#options.workspace));
    const within = depth === -1 ? null : parts.slice(depth);
    return { directory, parts, within, letterCase: this.#letterCase, close: directory.close };
  }

  get #directory(): HeldDirectory {
    return this.#held.at(-1) ?? this.#options.root.directory;
  }
}

const danglingLink: Obstacle = { kind: 'link', reason: 'it goes through a link to something that does not exist' };

function isSame(one: DirectoryIdentity, other: DirectoryIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
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
