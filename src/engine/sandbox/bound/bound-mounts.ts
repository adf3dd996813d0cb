// A bound workspace as mounts: it, and over it each of its parts that is hidden, or open or shut to writing unlike what lies
// around it. A mask holds only while every directory above it is a mount point too: what is none can be renamed, and its old
// name is free then.
import { toParents } from '../to-parents.ts';

type Access = 'read' | 'write';

/** A place of the launcher that is shown at a place inside. */
export interface BoundMount {
  readonly source: string;
  readonly target: string;
  readonly access: Access;
}

/** Something of a workspace, by its relative path, that is there and is not shown as it is. */
export interface Mask {
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** `none`: it must not be seen. */
  readonly access: 'none' | Access;
}

/** More masks than this are mounts enough to slow every start down. */
export const maxMasks = 40;

export interface BoundMounts {
  /** Where it lies inside. */
  readonly workspace: string;
  readonly access: Access;
  readonly masks: readonly Mask[];
  /** Where the launcher has put it, and an empty file and directory that nobody may open. */
  readonly stage: string;
}

/** The shortest first: one may lie in another. */
export function toBoundBinds({ workspace, access, masks, stage }: BoundMounts): BoundMount[] {
  const byPath = new Map(masks.map((mask) => [mask.path, mask]));
  const toBind = (path: string): BoundMount => {
    const target = `${workspace}/${path}`;
    const mask = byPath.get(path);
    if (mask?.access === 'none') return { source: `${stage}/hidden-${mask.kind}`, target, access: 'read' };
    return { source: `${stage}/bound/${path}`, target, access: findAccess(path, byPath) ?? access };
  };
  const places = new Set(masks.flatMap(({ path }) => [...toParents(path), path]));
  const shortestFirst = [...places].sort((one, other) => one.length - other.length);
  return [{ source: `${stage}/bound`, target: workspace, access }, ...shortestFirst.map(toBind)];
}

/** A directory that is a mount point only for what lies in it is as open as what lies around it. */
function findAccess(path: string, byPath: ReadonlyMap<string, Mask>): Access | null {
  const access = [...toParents(path), path].map((each) => byPath.get(each)?.access);
  return access.findLast((each) => each === 'read' || each === 'write') ?? null;
}
