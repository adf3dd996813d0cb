// Looks once at the directory that a command is to work in: what it really is, whom it belongs to, and what of it must be
// covered up. Where no overlay can be laid over it, a private copy is made that is then bound in its place.
import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs';
import { type Mask, maxMasks } from '../bound/bound-mounts.ts';
import { findWorkspace } from '../find-workspace.ts';
import type { SandboxIdentity } from '../identity/take-identity.ts';
import type { StagingWay, StartFailure } from '../launch.ts';
import { createPrivateDirectory } from '../private-directory.ts';
import type { Cover, Leavings, SandboxDirectory } from '../sandbox.ts';
import { copyWorkspace } from '../staged/copy-workspace.ts';
import { toErrorCode } from '../to-error-code.ts';
import { toOutermost } from '../to-outermost.ts';
import { toParents } from '../to-parents.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface DirectoryIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** A workspace, by its real path, and the directory of this machine that the command is given in its place. */
export interface SettledWorkspace {
  readonly source: string;
  readonly identity: DirectoryIdentity;
  readonly owner: Account;
}

export interface SettledDirectory {
  readonly kind: 'settled';
  readonly directory: SandboxDirectory;
  /** Null for an ephemeral directory. */
  readonly workspace: SettledWorkspace | null;
  readonly masks: readonly Mask[];
  /** What was done to a private copy; null where there is none. */
  readonly readCopy: (() => Promise<Leavings>) | null;
}

/** A copy that is made is handed to `owned`. */
export async function settleDirectory(
  directory: SandboxDirectory,
  { identity, staging, signal, owned }: SettleOptions,
): Promise<SettledDirectory | StartFailure> {
  if (directory.mode === 'ephemeral') {
    return { kind: 'settled', directory, workspace: null, masks: [], readCopy: null };
  }
  const found = findWorkspace(directory.workspace);
  if (found.kind === 'not-started') return found;
  const hidden = [...directory.hidden, ...found.ownPaths];
  const real = { ...directory, workspace: found.path, hidden };
  if (directory.mode === 'staged' && staging === 'copy') {
    const owner = identity.isOwn ? null : identity;
    const scratch = owned.use(await createPrivateDirectory(owner));
    const copy = await copyWorkspace({ workspace: found.path, hidden, into: scratch.path, owner, signal });
    if (copy.kind === 'refused') return refuse(copy.reason);
    const bound = { mode: 'bound', workspace: found.path, hidden: [] } as const;
    const workspace = toWorkspace(copy.path, statSync(copy.path, { bigint: true }));
    return { kind: 'settled', directory: bound, workspace, masks: [], readCopy: copy.readChanges };
  }
  const masks = directory.mode === 'bound' ? toMasks(found.path, hidden, directory.covers ?? []) : [];
  if (masks.length > maxMasks) {
    return refuse(`${masks.length} paths in it must be covered up, and no more than ${maxMasks} can be`);
  }
  return { kind: 'settled', directory: real, workspace: toWorkspace(found.path, found.stats), masks, readCopy: null };
}

export interface SettleOptions {
  readonly identity: SandboxIdentity;
  readonly staging: StagingWay;
  readonly signal: AbortSignal;
  readonly owned: AsyncDisposableStack;
}

function toWorkspace(source: string, { dev, ino, uid, gid }: BigIntStats): SettledWorkspace {
  return { source, identity: { device: dev, inode: ino }, owner: { uid: Number(uid), gid: Number(gid) } };
}

/** What lies in something hidden is hidden with it. */
function toMasks(workspace: string, hidden: readonly string[], covers: readonly Cover[]): Mask[] {
  const unseen = new Set(hidden);
  const shown = covers.filter(({ path }) => ![...toParents(path), path].some((each) => unseen.has(each)));
  return [
    ...toOutermost(hidden).flatMap((path) => toMask(workspace, { path, access: 'none' })),
    ...shown.flatMap((cover) => toMask(workspace, cover)),
  ];
}

/** None where nothing is, also where something else came to lie on the way: what is below a link lies elsewhere. */
function toMask(workspace: string, { path, access }: Pick<Mask, 'path' | 'access'>): Mask[] {
  const stats = readStats(`${workspace}/${path}`);
  const isThere = toParents(path).every((above) => readStats(`${workspace}/${above}`)?.isDirectory());
  // A link is hidden by what it leads to.
  if (!isThere || stats === null || stats.isSymbolicLink()) return [];
  return [{ path, kind: stats.isDirectory() ? 'directory' : 'file', access }];
}

function readStats(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(toErrorCode(error))) return null;
    throw error;
  }
}

function refuse(reason: string): StartFailure {
  return { kind: 'not-started', stage: 'directory', reason };
}
