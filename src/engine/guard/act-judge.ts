// Asks the two questions of every path: where does it really lie, and what does the policy say. A path that cannot be
// placed inside the workspace is denied whatever the policy says.
import { type Dirent, statSync } from 'node:fs';
import { EngineError } from '../../shared/engine-error.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import type { JudgeableAct, Policy } from '../policy/policy.ts';
import type { JudgedAct, ResolvedAct } from './guard.ts';
import { ignoresLetterCase } from './ignores-letter-case.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { parseWorkspacePath, toTarget } from './parse-workspace-path.ts';
import { type Place, type WalkOptions, walkPath } from './walk-path.ts';

export interface ActJudgeOptions {
  readonly root: WorkspaceRoot;
  /** Path of the engine's own directory. */
  readonly home: string | null;
  readonly policy: Policy;
}

/** A judged act on a file, with the place it was judged at. */
export interface PlacedAct extends JudgedAct {
  readonly place: Place;
}

export interface LocatedFile {
  readonly real: string;
  /** Only somebody's word permits it. */
  readonly isAsked: boolean;
}

export class ActJudge {
  readonly #options: ActJudgeOptions;
  readonly #letterCase: JudgeableAct['letterCase'];
  #home: WalkOptions['home'] = null;
  #isOpen = true;

  constructor(options: ActJudgeOptions) {
    this.#options = options;
    this.#letterCase = ignoresLetterCase(options.root.identity.path) ? 'ignored' : 'exact';
  }

  /** Places and judges an act on a file, and lets `use` have the place for as long as it takes. */
  async withPlace<Result>(kind: 'read' | 'write', path: string, use: (act: PlacedAct) => Result | Promise<Result>) {
    const placed = this.#place(kind, path);
    try {
      return await use(placed);
    } finally {
      placed.place.close();
    }
  }

  /** The file or directory that may be read at `path`, or null. */
  locate(path: string): LocatedFile | null {
    const { place, verdict, act } = this.#place('read', path);
    place.close();
    if (verdict.effect === 'deny' || place.kind !== 'found' || act.real === null) return null;
    const { real } = act;
    return place.stats.isFile() || place.stats.isDirectory() ? { real, isAsked: verdict.effect === 'ask' } : null;
  }

  /** Whether an entry of the judged `directory` may be shown. A file lies where its directory does; all else is placed. */
  isEntryShown(directory: ResolvedAct, entry: Dirent): boolean {
    const target = toEntryTarget(directory.target, entry.name);
    if (entry.isFile() && directory.real !== null) {
      const real = toEntryTarget(directory.real, entry.name);
      return this.judgeResolved({ kind: 'read', target, real }).verdict.effect !== 'deny';
    }
    const { place, verdict } = this.#place('read', target);
    place.close();
    return verdict.effect !== 'deny';
  }

  /** Judges an act whose target needs no looking up. */
  judgeResolved(act: ResolvedAct): JudgedAct {
    return { act, verdict: evaluatePolicy(this.#options.policy, { ...act, letterCase: this.#letterCase }) };
  }

  close(): void {
    this.#isOpen = false;
    this.#options.root.close();
  }

  #place(kind: 'read' | 'write', path: string): PlacedAct {
    if (!this.#isOpen) throw closedError();
    const parsed = parseWorkspacePath(path);
    if (parsed.kind === 'refused') return this.#refuse({ kind, target: path, real: null }, parsed.reason);
    const target = toTarget(parsed.parts);
    const place = walkPath({ root: this.#options.root, home: this.#identifyHome() }, parsed.parts);
    if (place.kind === 'outside') return this.#refuse({ kind, target, real: null }, place.reason);
    if (kind === 'write' && place.kind === 'missing' && place.obstacle !== null) {
      place.close();
      return this.#refuse({ kind, target, real: null }, place.obstacle);
    }
    return { ...this.judgeResolved({ kind, target, real: toTarget(place.parts) }), place };
  }

  #refuse(act: ResolvedAct, reason: string): PlacedAct {
    const { verdict } = this.judgeResolved(act);
    const because = `${act.kind} of ${JSON.stringify(act.target)} is denied: ${reason}`;
    return { act, verdict: { ...verdict, because }, place: { kind: 'outside', reason, close: () => undefined } };
  }

  /** Asked until it is there: the home may be made only after the guard is opened. */
  #identifyHome(): WalkOptions['home'] {
    const { home } = this.#options;
    if (home !== null) this.#home ??= identify(home);
    return this.#home;
  }
}

function toEntryTarget(directory: string, name: string): string {
  return directory === '.' ? name : `${directory}/${name}`;
}

function identify(path: string): WalkOptions['home'] {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : { device: stats.dev, inode: stats.ino };
}

function closedError(): EngineError {
  return new EngineError('closed', 'The guard of this workspace is closed.', { remedy: 'Open a guard for a new run.' });
}
