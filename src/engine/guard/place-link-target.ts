// Where a link would lead that is not there yet, found by walking its way as if it were.
import { isAbsolute } from 'node:path';
import type { PathAct } from '../../shared/act.ts';
import type { Resolved } from './judge-resolved.ts';
import { toPartsBelow, type WorkspaceRoot } from './open-workspace-root.ts';
import { toTarget } from './parse-workspace-path.ts';
import { walkPath } from './walk-path.ts';

export interface LinkText {
  /** Of the link itself, relative to the workspace. */
  readonly path: string;
  readonly target: string;
}

/** A link that leads outside, or nobody can tell where, is refused. */
export function placeLinkTarget(
  root: WorkspaceRoot,
  kind: PathAct['kind'],
  { path, target }: LinkText,
): Resolved<PathAct> {
  const { directory, identity } = root;
  const shown = { kind, target, letterCase: 'exact', outside: false } as const;
  const parts = isAbsolute(target)
    ? toPartsBelow(identity.path, target)
    : [...path.split('/').slice(0, -1), ...target.split('/')];
  if (parts === undefined) return { act: { ...shown, real: null }, refusal: 'it leads outside the workspace' };
  const steps = parts.filter((part) => part !== '' && part !== '.');
  const place = walkPath(
    { root: { path: identity.path, directory }, workspace: directory, home: root.findHome() },
    steps,
  );
  place.close();
  if (place.kind === 'outside') return { act: { ...shown, real: null }, refusal: place.reason };
  const real = toTarget(place.parts);
  return { act: { ...shown, target: real, real, letterCase: place.letterCase }, refusal: null };
}
