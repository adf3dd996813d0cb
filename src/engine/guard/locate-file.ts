// Which of the paths that a search comes by may be shown. Each is judged as if it were read by itself.
import type { Verdict } from '../../shared/act.ts';
import { judgeResolved } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placePath } from './place-path.ts';
import { isTemporaryName } from './temporary-name.ts';

export interface SearchOptions {
  readonly root: WorkspaceRoot;
  readonly permission: Permission;
}

export interface LocatedFile {
  readonly real: string;
  readonly verdict: Verdict;
}

/** The file or directory that is there and not denied, or null. */
export function locateFile({ root, permission }: SearchOptions, path: string): LocatedFile | null {
  const placed = placePath(root, 'read', path);
  const { place, act } = placed;
  place.close();
  const { verdict } = judgeResolved(placed, permission.stance);
  if (verdict.effect === 'deny' || place.kind !== 'found' || act.real === null) return null;
  return place.stats.isFile() || place.stats.isDirectory() ? { real: act.real, verdict } : null;
}

/** Whether a file may be opened by the search of `searched`: a yes to that was a yes to the rule that asked, and to no other. */
export function isCovered(file: Verdict, searched: Verdict): boolean {
  if (file.effect !== 'ask') return file.effect === 'allow';
  return searched.effect === 'ask' && file.layer === searched.layer && file.rule === searched.rule;
}

/** Judges each path once, however many of its lines were found one after the other. */
export function createPathFilter(isAllowed: (path: string) => boolean): (path: string) => boolean {
  let last = { path: '', isShown: false };
  return (path) => {
    const isOwn = isTemporaryName(path.slice(path.lastIndexOf('/') + 1));
    if (path !== last.path) last = { path, isShown: !isOwn && isAllowed(path) };
    return last.isShown;
  };
}
