// The processes that work in the workspace at this moment, for whoever writes there meanwhile: where something is covered up
// for one of them, a file put in its place would lie bare; and what the engine itself has written is not their doing.
import { lstatSync } from 'node:fs';
import { isSame } from '../sandbox/bound/compare-manifests.ts';
import { toVersion, type Version } from '../sandbox/bound/read-manifest.ts';
import { toParents } from '../sandbox/to-parents.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';

export interface LiveProcess extends Disposable {
  /** Whether the engine itself left the path so (null: removed it), or is writing there now. */
  isEngines(path: string, now: Version | null): boolean;
}

export interface ProcessEntry {
  /** What a model and people call it. */
  readonly name: string;
  /** Relative paths of what it must not see or must not write. */
  readonly shut: ReadonlySet<string>;
}

/** How the engine left paths; `underway`: it is writing there. */
type Written = Map<string, Version | null | 'underway'>;

export class LiveProcesses {
  readonly #root: WorkspaceRoot;
  readonly #live = new Map<ProcessEntry, Written>();

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  add(entry: ProcessEntry): LiveProcess {
    const written: Written = new Map();
    this.#live.set(entry, written);
    return {
      isEngines(path, now) {
        const version = written.get(path);
        if (version === undefined || version === 'underway') return version === 'underway';
        return version === null || now === null ? version === now : isSame(version, now);
      },
      [Symbol.dispose]: () => {
        this.#live.delete(entry);
      },
    };
  }

  /** Why nothing may take the place of what lies at this path; null where it may. */
  findObstacle(path: string): string | null {
    const holder = [...this.#live.keys()].find(({ shut }) => shut.has(path));
    if (holder === undefined) return null;
    const { name } = holder;
    return `the running process ${name} may not reach ${JSON.stringify(path)}, and could if it were replaced now; end ${name} with process_end first`;
  }

  /** Has what `write` does known as the engine's own, where it came to something; it may make directories on the way. */
  async noting<Result>(
    path: string,
    write: () => Promise<Result>,
    isMade: (result: Result) => boolean,
  ): Promise<Result> {
    if (this.#live.size === 0) return await write();
    const touched = [...toParents(path).filter((each) => this.#look(each) === null), path];
    const known = [...this.#live.values()].map((written) => ({
      written,
      old: touched.map((each) => written.get(each)),
    }));
    for (const { written } of known) for (const each of touched) written.set(each, 'underway');
    let wasMade = false;
    try {
      const result = await write();
      wasMade = isMade(result);
      return result;
    } finally {
      for (const { written, old } of known) this.#settle(written, touched, wasMade ? null : old);
    }
  }

  #settle(written: Written, touched: readonly string[], old: readonly ReturnType<Written['get']>[] | null): void {
    for (const [index, path] of touched.entries()) {
      const version = old === null ? this.#look(path) : old[index];
      if (version === undefined) written.delete(path);
      else written.set(path, version);
    }
  }

  #look(path: string): Version | null {
    try {
      return toVersion(lstatSync(`${this.#root.identity.path}/${path}`, { bigint: true }));
    } catch {
      return null; // Nothing is there, or nothing that there is a way to.
    }
  }
}
