// Where a path lies that a command names. Unlike a tool's it may be absolute, may lie outside, and `..` in it leads where the
// kernel will go, not where the text does. What a line itself changes on the way cannot be foreseen here: only what encloses
// the command holds it to what was judged.
import { userInfo } from 'node:os';
import { posix } from 'node:path';
import type { PathAct } from '../../shared/act.ts';
import type { PathPart } from './command-line/line-part.ts';
import type { Resolved } from './judge-resolved.ts';
import { toPartsBelow, type WorkspaceRoot } from './open-workspace-root.ts';
import { maxPathCharacters, toTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';
import { walkPath } from './walk-path.ts';

/** The act on the path, relative to the workspace wherever it lies there, by whatever spelling. */
export function placeOperand(root: WorkspaceRoot, { act: kind, path, directory }: PathPart): Resolved<PathAct> {
  const written = posix.isAbsolute(toHomePath(path)) ? toHomePath(path) : `${toAbsolute(root, directory)}/${path}`;
  const named = toNamed(root, posix.resolve('/', written));
  if (written.length > maxPathCharacters)
    return refuse(kind, named, `it is longer than ${maxPathCharacters} characters`);
  const home = root.findHome();
  const options = { root: { path: '/', directory: root.system }, workspace: root.directory, home };
  const place = walkPath(options, written.split('/').filter(isMeaningful));
  place.close();
  if (place.kind === 'outside') return refuse(kind, named, place.reason);
  // Below a file nothing can be written; `cp a b` comes here with `b/a`, as `b` might have been a directory.
  const obstacle = kind === 'write' && place.kind === 'missing' ? place.obstacle : null;
  if (obstacle?.kind === 'link') return refuse(kind, named, obstacle.reason);
  const real = `/${place.parts.join('/')}`;
  if (home !== null && toPartsBelow(real, home.path))
    return refuse(kind, named, "the engine's own directory lies in it");
  return toAct(kind, named, real, place);
}

/** A directory of a line: relative to the workspace, in which the line starts, or absolute. */
export function toAbsolute(root: WorkspaceRoot, directory: string): string {
  const path = toHomePath(directory);
  return posix.isAbsolute(path) ? path : `${root.identity.path}/${path}`;
}

interface Named {
  readonly target: string;
  readonly outside: boolean;
}

/** What the path says by itself. */
function toNamed(root: WorkspaceRoot, absolute: string): Named {
  const parts = toPartsBelow(root.identity.path, absolute);
  return parts === undefined ? { target: absolute, outside: true } : { target: toTarget(parts), outside: false };
}

function toAct(
  kind: PathAct['kind'],
  named: Named,
  real: string,
  { within, letterCase }: Exclude<Place, { kind: 'outside' }>,
): Resolved<PathAct> {
  if (within !== null) {
    const inside = toTarget(within);
    const target = named.outside ? inside : named.target;
    return { act: { kind, target, real: inside, letterCase, outside: false }, refusal: null };
  }
  if (!named.outside) return refuse(kind, named, 'a link in it leads outside the workspace');
  return { act: { kind, ...named, real, letterCase }, refusal: null };
}

function refuse(kind: PathAct['kind'], named: Named, reason: string): Resolved<PathAct> {
  return { act: { kind, ...named, real: null, letterCase: 'exact' }, refusal: reason };
}

/**
 * `~` stands for the person's own home: a command gets an empty one instead, so that judging by the person's is at least as
 * strict. It is taken from the account, as HOME may point anywhere.
 */
function toHomePath(path: string): string {
  return path === '~' || path.startsWith('~/') ? userInfo().homedir + path.slice(1) : path;
}

function isMeaningful(part: string): boolean {
  return part !== '' && part !== '.';
}
