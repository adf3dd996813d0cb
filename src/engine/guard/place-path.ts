// Where a path lies that a tool names. A path that cannot be placed inside the workspace is refused, whatever the policy says.
import type { PathAct } from '../../shared/act.ts';
import type { Resolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { parseWorkspacePath, toTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';
import { walkPath } from './walk-path.ts';

/** An act on a file with the place it is judged at, which whoever gets it closes. */
export interface PlacedPath extends Resolved<PathAct> {
  readonly place: Place;
}

/** Looks the path up from the workspace. Throws `closed` after the workspace was given back. */
export function placePath(root: WorkspaceRoot, kind: PathAct['kind'], path: string): PlacedPath {
  root.assertOpen();
  const parsed = parseWorkspacePath(path);
  if (parsed.kind === 'refused') return refuse({ kind, target: path }, parsed.reason);
  const target = toTarget(parsed.parts);
  const { directory, identity } = root;
  const options = { root: { path: identity.path, directory }, workspace: directory, home: root.findHome() };
  const place = walkPath(options, parsed.parts);
  if (place.kind === 'outside') return refuse({ kind, target }, place.reason);
  if (kind === 'write' && place.kind === 'missing' && place.obstacle !== null) {
    place.close();
    return refuse({ kind, target }, place.obstacle.reason);
  }
  const act = { kind, target, real: toTarget(place.parts), letterCase: place.letterCase, outside: false };
  return { act, refusal: null, place };
}

function refuse(act: Pick<PathAct, 'kind' | 'target'>, reason: string): PlacedPath {
  const place = { kind: 'outside', reason, close: () => undefined } as const;
  return { act: { ...act, real: null, letterCase: 'exact', outside: false }, refusal: reason, place };
}
