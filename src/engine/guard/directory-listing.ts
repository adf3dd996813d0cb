// The names in a directory as they were at one moment, with what was decided about reading each of them. Both are kept for
// as long as the directory is the same and the policy is.
import { type BigIntStats, type Dirent, readdirSync } from 'node:fs';
import type { PathAct, Verdict } from '../../shared/act.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import type { Policy, Stance } from '../policy/policy.ts';
import { openHeldDirectory } from '../sandbox/held-directory.ts';
import { entriesIgnoreLetterCase } from './ignores-letter-case.ts';
import { toEntryTarget } from './parse-workspace-path.ts';

export interface JudgedListing {
  /** Paths of what may not be read. Of a directory that is denied by a rule everything in it is meant too. */
  readonly denied: readonly string[];
  /** What may hold something that is denied; or, where it is denied for want of a rule, something that is not. */
  readonly directories: readonly { readonly path: string; readonly isVisible: boolean }[];
  /** Something in it may be read. */
  readonly isVisible: boolean;
  readonly isFolded: boolean;
}

/** Within one tick of the file system's clock a directory can change without its times telling. */
const clockTickMs = 10;

export class DirectoryListing {
  readonly #path: string;
  readonly #stats: BigIntStats;
  readonly #entries: readonly Dirent[];
  readonly #isFolded: boolean;
  readonly #isLasting: boolean;
  readonly #judged = new WeakMap<Policy, Map<string, JudgedListing>>();

  /** Reads the directory `at`; `path` is its own, relative to the workspace, and `stats` are from before. */
  constructor(path: string, at: string, stats: BigIntStats) {
    this.#path = path;
    this.#stats = stats;
    this.#isLasting = Date.now() - Number(stats.ctimeMs) > clockTickMs;
    this.#entries = readdirSync(at, { withFileTypes: true });
    this.#isFolded = this.#entries.length > 0 && foldsEntries(at);
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Whether the directory, which now has these stats, still holds the same names. */
  isCurrent({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): boolean {
    const then = this.#stats;
    const isSame = ino === then.ino && ctimeNs === then.ctimeNs && mtimeNs === then.mtimeNs && dev === then.dev;
    return isSame && this.#isLasting;
  }

  /** `isFolded`: letter case tells nothing apart on the way to it. */
  judge(isFolded: boolean, stance: Stance): JudgedListing {
    const ofPolicy = this.#judged.get(stance.policy) ?? new Map<string, JudgedListing>();
    const key = `${isFolded} ${stance.isTainted} ${stance.isolation}`;
    const known = ofPolicy.get(key);
    if (known !== undefined) return known;
    const judged = this.#judgeEntries(isFolded || this.#isFolded, stance);
    this.#judged.set(stance.policy, ofPolicy.set(key, judged));
    return judged;
  }

  #judgeEntries(isFolded: boolean, stance: Stance): JudgedListing {
    const denied: string[] = [];
    const directories: { path: string; isVisible: boolean }[] = [];
    let isVisible = false;
    for (const entry of this.#entries) {
      const path = toEntryTarget(this.#path, entry.name);
      const { effect, rule } = judgeRead(path, isFolded, stance);
      if (effect === 'deny') assertNameable(path);
      else isVisible = true;
      if (entry.isDirectory() && (effect !== 'deny' || rule === null)) {
        directories.push({ path, isVisible: effect !== 'deny' });
      } else if (effect === 'deny') denied.push(path);
    }
    return { denied, directories, isVisible, isFolded };
  }
}

function judgeRead(target: string, isFolded: boolean, stance: Stance): Verdict {
  const letterCase = isFolded ? 'ignored' : 'exact';
  const act: PathAct = { kind: 'read', target, real: target, letterCase, outside: false };
  return evaluatePolicy(stance.policy, act, stance);
}

/** What stands for bytes that are no text could not be found again by this name. */
function assertNameable(path: string): void {
  if (!path.includes('\ufffd')) return;
  throw new EngineError(
    'workspace-unusable',
    `The name of ${JSON.stringify(path)} is no text, and it may not be read.`,
    {
      remedy: 'Rename it: by such a name it cannot be kept from a command.',
    },
  );
}

function foldsEntries(path: string): boolean {
  const directory = openHeldDirectory(path);
  try {
    return entriesIgnoreLetterCase(directory);
  } finally {
    directory.close();
  }
}
