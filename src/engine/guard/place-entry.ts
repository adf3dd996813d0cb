// Where a change of an entry itself is made: a name in a held directory, which is there by just this path. Unlike a place that
// is read or written through, no link is part of the way, and what the name leads to is of no matter.
import { type BigIntStats, lstatSync } from 'node:fs';
import type { PathAct } from '../../shared/act.ts';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import { ignoresLetterCase } from './ignores-letter-case.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { toTarget } from './parse-workspace-path.ts';
import { placePath } from './place-path.ts';

export type EntryPlace =
  | {
      readonly kind: 'entry';
      readonly directory: HeldDirectory;
      readonly name: string;
      /** What is there now; undefined: nothing. */
      readonly stats: BigIntStats | undefined;
      readonly act: PathAct;
      close(): void;
    }
  /** There is no directory in which it could lie. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** What leads there is not what the path says. */
  | { readonly kind: 'elsewhere'; readonly reason: string };

/** Throws `closed` after the workspace was given back. Whoever gets an entry closes it. */
export function placeEntry(root: WorkspaceRoot, path: string): EntryPlace {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const above = toTarget(parts);
  const { place, act, refusal } = placePath(root, 'read', above);
  if (place.kind === 'found' && place.stats.isDirectory() && act.real === above && isPlainName(name)) {
    const { directory, close } = place;
    const stats = lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
    if (isHome(root, stats)) {
      close();
      return { kind: 'elsewhere', reason: "it is the engine's own directory" };
    }
    const folds = act.letterCase === 'ignored' || ignoresLetterCase(directory, name, stats);
    const letterCase = folds ? 'ignored' : 'exact';
    return {
      kind: 'entry',
      directory,
      name,
      stats,
      act: { ...act, kind: 'write', target: path, real: path, letterCase },
      close,
    };
  }
  place.close();
  const isGone =
    place.kind === 'missing' ? place.obstacle?.kind !== 'link' : place.kind === 'found' && act.real === above;
  if (isGone) return { kind: 'gone', reason: `${JSON.stringify(above)} is no directory` };
  return { kind: 'elsewhere', reason: refusal ?? `${JSON.stringify(above)} is reached through a link` };
}

function isHome(root: WorkspaceRoot, stats: BigIntStats | undefined): boolean {
  const home = root.findHome();
  return home !== null && stats?.dev === home.device && stats.ino === home.inode;
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\0');
}
