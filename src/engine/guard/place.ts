// Where a path was found to lie: a name in a directory that is held open, so that what is done there is done at that very place.
import type { BigIntStats } from 'node:fs';
import type { PathAct } from '../../shared/act.ts';
import type { HeldDirectory } from '../sandbox/held-directory.ts';

export type Place =
  /** Something is there, and it is not a link: `name` in `directory`, or `directory` itself when `name` is `.`. */
  | (Reached & { readonly kind: 'found'; readonly name: string; readonly stats: BigIntStats })
  /** Nothing is there: `missing` are the parts to create below `directory`, unless an obstacle forbids it. */
  | (Reached & { readonly kind: 'missing'; readonly missing: readonly string[]; readonly obstacle: Obstacle | null })
  /** The path leaves the workspace, or it cannot be told where it leads. */
  | { readonly kind: 'outside'; readonly reason: string; close(): void };

export interface Obstacle {
  /** A file stands where a directory would have to be, or a link leads to where nothing is. */
  readonly kind: 'file' | 'link';
  readonly reason: string;
}

export interface Reached {
  readonly directory: HeldDirectory;
  /** The real path, relative to the root of the walk. */
  readonly parts: readonly string[];
  /** The real path relative to the workspace; null where the walk did not come through it. */
  readonly within: readonly string[] | null;
  /** `ignored` where a directory on the way takes other spellings of a name for the same. */
  readonly letterCase: PathAct['letterCase'];
  close(): void;
}
