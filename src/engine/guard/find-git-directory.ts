// Which repository git takes a directory for a part of: the nearest one above it, as git looks for it. Where that cannot be
// told from what lies in the workspace alone, it is said so; it is never guessed.
import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import type { PathAct } from '../../shared/act.ts';
import { toPartsBelow, type WorkspaceRoot } from './open-workspace-root.ts';
import { placeOperand } from './place-operand.ts';
import { placePath } from './place-path.ts';
import { readSmallFile } from './read-small-file.ts';

export type GitDirectory =
  | {
      readonly kind: 'found';
      /** Where the index is, relative to the workspace like all the others. */
      readonly path: string;
      /** Where the settings are. */
      readonly common: string;
      /** The directory that its paths begin at. */
      readonly top: string;
      /** Where git was started. */
      readonly start: string;
      readonly letterCase: PathAct['letterCase'];
    }
  | { readonly kind: 'none' }
  /** `reason` is the end of a sentence. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** `directory` as a line names it: relative to the workspace, or absolute. */
export async function findGitDirectory(root: WorkspaceRoot, directory: string): Promise<GitDirectory> {
  const { act, refusal } = placeOperand(root, { kind: 'path', act: 'read', path: '.', directory, isDeep: false });
  if (refusal !== null || act.real === null || act.outside) return unknown('it runs outside the workspace');
  const start = act.real;
  for (let top = start; ; top = posix.dirname(top)) {
    const found = await lookAt(root, top);
    if (found.kind === 'found') return { ...found, top, start };
    if (found.kind === 'unknown') return found;
    if (top === '.') return isBelowRepository(root) ? unknown('its repository lies outside the workspace') : found;
  }
}

type Look = Omit<Extract<GitDirectory, { kind: 'found' }>, 'top' | 'start'> | Exclude<GitDirectory, { kind: 'found' }>;

async function lookAt(root: WorkspaceRoot, top: string): Promise<Look> {
  const { place } = placePath(root, 'read', posix.join(top, '.git'));
  place.close();
  if (place.kind === 'missing') return { kind: 'none' };
  if (place.kind === 'outside') return unknown('its repository lies outside the workspace');
  const written = place.parts.join('/');
  const path = place.stats.isDirectory() ? written : await followFile(root, written);
  if (path === null) return unknown('its repository lies outside the workspace');
  const common = await findCommon(root, path);
  if (common === null) return unknown('its repository lies outside the workspace');
  if (!(await isRepository(root, path, common))) return { kind: 'none' };
  return { kind: 'found', path, common, letterCase: place.letterCase };
}

/** Another worktree of a repository, and a repository inside another, have a file there that says where the rest is. */
async function followFile(root: WorkspaceRoot, path: string): Promise<string | null> {
  const [, written] = /^gitdir: ([^\n\r]+)[\n\r]*$/.exec((await readSmallFile(root, path)) ?? '') ?? [];
  return written === undefined ? null : toInside(root, posix.dirname(path), written);
}

/** Of several worktrees each has its own index, and all have the rest in common. */
async function findCommon(root: WorkspaceRoot, path: string): Promise<string | null> {
  const written = await readSmallFile(root, `${path}/commondir`);
  return written === null ? path : toInside(root, path, written.trim());
}

/** Git takes nothing else for one, and looks further up. */
async function isRepository(root: WorkspaceRoot, path: string, common: string): Promise<boolean> {
  const isThere = (name: string) => {
    const { place } = placePath(root, 'read', name);
    place.close();
    return place.kind === 'found' || (place.kind === 'missing' && place.obstacle?.kind === 'link');
  };
  const head = await readSmallFile(root, `${path}/HEAD`);
  const hasHead = head === null ? isThere(`${path}/HEAD`) : /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(head);
  return hasHead && isThere(`${common}/objects`) && isThere(`${common}/refs`);
}

/** The path relative to the workspace; null where it leaves that. */
export function toInside(root: WorkspaceRoot, from: string, path: string): string | null {
  const parts = toPartsBelow(root.identity.path, posix.resolve(root.identity.path, from, path));
  return parts === undefined ? null : posix.join('.', ...parts);
}

/** A command that nothing encloses would find it. */
function isBelowRepository({ identity }: WorkspaceRoot): boolean {
  for (let path = posix.dirname(identity.path); ; path = posix.dirname(path)) {
    if (lstatSync(posix.join(path, '.git'), { throwIfNoEntry: false }) !== undefined) return true;
    if (path === '/') return false;
  }
}

function unknown(reason: string): Extract<GitDirectory, { kind: 'unknown' }> {
  return { kind: 'unknown', reason };
}
