// Which part of a workspace may be written without asking anybody. A directory is open where a new file of no special name
// may be made; what lies in it and may not be written is shut by a cover of its own, and the other way round.
import type { Verdict } from '../../shared/act.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import type { Version, Visit } from '../sandbox/bound/read-manifest.ts';
import type { Cover } from '../sandbox/sandbox.ts';
import { entriesAtIgnoreLetterCase } from './ignores-letter-case.ts';
import { findRefusal } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { toEntryTarget } from './parse-workspace-path.ts';
import { isTemporaryName } from './temporary-name.ts';

interface Directory {
  readonly isOpen: boolean;
  /** Letter case tells nothing apart in it, or on the way to it. */
  readonly isFolded: boolean;
}

export class WritableArea {
  /** Links, and what is no file, that could be written although they should not: no mount can lie on them. */
  readonly uncovered: string[] = [];
  /** The workspace's own directory is shut. */
  readonly isReadOnly: boolean;
  readonly #root: WorkspaceRoot;
  readonly #hidden: ReadonlySet<string>;
  readonly #permission: Permission;
  readonly #accesses = new Map<string, Cover['access']>();
  readonly #directories = new Map<string, Directory>();

  constructor(root: WorkspaceRoot, hidden: readonly string[], permission: Permission) {
    this.#root = root;
    this.#hidden = new Set(hidden);
    this.#permission = permission;
    this.isReadOnly = !this.#addDirectory('.', false).isOpen;
  }

  get covers(): Cover[] {
    return [...this.#accesses].map(([path, access]) => ({ path, access }));
  }

  /** In the order of a walk from the top: of a directory before what lies in it. */
  visit(path: string, { kind }: Version): Visit {
    const above = this.#directories.get(toDirectory(path));
    if (above === undefined || this.#isNoPart(path, kind)) return left;
    const verdict = this.#judge(path, above.isFolded);
    const mayBe = this.#isGiven(verdict);
    if (kind === 'directory') return this.#visitDirectory(path, above, { mayBe, isByRule: verdict.rule !== null });
    if (kind === 'file') return this.#visitFile(path, above, mayBe);
    // A mount over a link would lie on what it leads to.
    if (above.isOpen && !mayBe) this.uncovered.push(path);
    return { isNoted: above.isOpen, isEntered: false };
  }

  /** The same part again, when somebody has worked in it. */
  revisit(path: string, { kind }: Version): Visit {
    const access = this.#accesses.get(path);
    const known = this.#directories.get(path);
    if (this.#isNoPart(path, kind) || (access === 'read' && known === undefined)) return left;
    // What is new lies in something that was open, or nobody in there could have made it.
    const isOpen = this.#directories.get(toDirectory(path))?.isOpen ?? true;
    if (kind !== 'directory') return { isNoted: isOpen || access === 'write', isEntered: false };
    return { isNoted: isOpen && (known?.isOpen ?? true), isEntered: known !== undefined || isOpen };
  }

  /** The verdict on writing there, also where nothing was when the walk came by. */
  judge(path: string): Verdict {
    const directory = toDirectory(path);
    const known = this.#directories.get(directory);
    return this.#judge(path, known?.isFolded ?? this.#addDirectory(directory, false).isFolded);
  }

  /** Also what the engine is writing at this moment; it makes no directories of such names. */
  #isNoPart(path: string, kind: Version['kind']): boolean {
    return this.#hidden.has(path) || (kind === 'file' && isTemporaryName(path.slice(path.lastIndexOf('/') + 1)));
  }

  #visitFile(path: string, { isOpen }: Directory, mayBe: boolean): Visit {
    if (mayBe !== isOpen) this.#accesses.set(path, mayBe ? 'write' : 'read');
    return { isNoted: mayBe, isEntered: false };
  }

  #visitDirectory(path: string, above: Directory, { mayBe, isByRule }: { mayBe: boolean; isByRule: boolean }): Visit {
    // Of a directory that a rule shuts everything in it is meant. What git keeps is written by whoever uses it, so that
    // nobody could tell afterwards who wrote a hook.
    if ((!mayBe && isByRule) || path === '.git' || path.endsWith('/.git')) {
      if (above.isOpen) this.#accesses.set(path, 'read');
      return left;
    }
    const { isOpen } = this.#addDirectory(path, above.isFolded);
    // Also one that is as open as what lies around it, where it may not be moved itself: a mount point cannot be.
    if (isOpen !== above.isOpen || (isOpen && !mayBe)) this.#accesses.set(path, isOpen ? 'write' : 'read');
    return { isNoted: above.isOpen && isOpen, isEntered: true };
  }

  #addDirectory(path: string, isFoldedAbove: boolean): Directory {
    const isFolded = isFoldedAbove || entriesAtIgnoreLetterCase(`${this.#root.identity.path}/${path}`);
    const isOpen = this.#isGiven(this.#judge(toEntryTarget(path, ordinaryName), isFolded));
    const directory = { isOpen, isFolded };
    this.#directories.set(path, directory);
    return directory;
  }

  #isGiven(verdict: Verdict): boolean {
    return findRefusal(verdict, this.#permission.permitted) === null;
  }

  #judge(target: string, isFolded: boolean): Verdict {
    const { stance } = this.#permission;
    const letterCase = isFolded ? 'ignored' : 'exact';
    return evaluatePolicy(stance.policy, { kind: 'write', target, real: target, letterCase, outside: false }, stance);
  }
}

const left: Visit = { isNoted: false, isEntered: false };

/** Of a file that no rule is about by its name. */
const ordinaryName = 'io-studio-new-file';

const toDirectory = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.';
