// A path placed and judged in one, for as long as the place is used: what is looked at or replaced is the very place that
// the verdict is about.
import type { PathAct, Verdict } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { findRefusal, judgeResolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { type PlacedPath, placePath } from './place-path.ts';

export interface Permission {
  readonly stance: Stance;
  /** `ask`: somebody said yes, so a verdict that asks does not stop it. A denial always does. */
  readonly permitted: 'allow' | 'ask';
}

export interface JudgedPlace extends PlacedPath {
  readonly verdict: Verdict;
  /** Why nothing is done there; null where it may be. */
  readonly because: string | null;
}

/** Lets `use` have the place, and closes it whatever comes of that. */
export async function withPlace<Result>(
  root: WorkspaceRoot,
  { kind, path }: { readonly kind: PathAct['kind']; readonly path: string },
  { stance, permitted }: Permission,
  use: (judged: JudgedPlace) => Result | Promise<Result>,
): Promise<Result> {
  const placed = placePath(root, kind, path);
  try {
    const { verdict } = judgeResolved(placed, stance);
    return await use({ ...placed, verdict, because: findRefusal(verdict, permitted) });
  } finally {
    placed.place.close();
  }
}
