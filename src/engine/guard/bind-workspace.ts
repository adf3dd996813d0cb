// How much of the workspace a process may be given to write to while it runs, when nobody can be asked in the middle: what
// may be written is open, everything else is shut at its own place, and what lies in the open part is noted, so that it can
// be told afterwards what became of it.
import { readlinkSync } from 'node:fs';
import type { Verdict } from '../../shared/act.ts';
import { maxMasks } from '../sandbox/bound/bound-mounts.ts';
import { type Manifest, readManifest } from '../sandbox/bound/read-manifest.ts';
import type { Cover } from '../sandbox/sandbox.ts';
import { toOutermost } from '../sandbox/to-outermost.ts';
import type { Permission } from './judged-place.ts';
import { mayWrite, noWrites } from './may-write.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { WritableArea } from './writable-area.ts';

export type BoundPlan =
  /** Nothing of it can be written, and why. */
  { readonly kind: 'shut'; readonly because: string } | OpenPlan;

export interface OpenPlan {
  readonly kind: 'open';
  /** The workspace's own directory is shut, and only parts of it are open. */
  readonly isReadOnly: boolean;
  readonly covers: readonly Cover[];
  /** Of the open part. */
  readonly manifest: Manifest;
  /** Where links led that it could replace although it should not. */
  readonly links: ReadonlyMap<string, string>;
  /** Those, and what could not be looked into. */
  readonly uncovered: readonly string[];
  /** The verdict on writing to a path of the open part. */
  judge(path: string): Verdict;
  /** Looks at the open part again. */
  lookAgain(): Promise<Manifest>;
}

/** More takes longer to look through, twice, than anybody waits. */
const maxEntries = 100_000;

export async function bindWorkspace(
  root: WorkspaceRoot,
  hidden: readonly string[],
  permission: Permission,
): Promise<BoundPlan> {
  if (!mayWrite(permission)) return { kind: 'shut', because: noWrites };
  const area = new WritableArea(root, hidden, permission);
  const workspace = root.identity.path;
  const visit = area.visit.bind(area);
  const manifest = await readManifest({ workspace, maxEntries, visit });
  if (!manifest.isWhole) return { kind: 'shut', because: `it has more than ${maxEntries} files and directories` };
  const { covers, isReadOnly, uncovered } = area;
  if (isReadOnly && covers.length === 0)
    return { kind: 'shut', because: 'nothing in it may be written without asking' };
  const masked = toOutermost(hidden).length + covers.length;
  if (masked > maxMasks) return { kind: 'shut', because: `${masked} paths ${tooMany}` };
  return {
    kind: 'open',
    isReadOnly,
    covers,
    manifest,
    links: readLinks(workspace, uncovered),
    uncovered: [...uncovered, ...manifest.unread],
    judge: (path) => area.judge(path),
    // What worked in it may have made as much again.
    lookAgain: () =>
      readManifest({ workspace, maxEntries: 2 * maxEntries, visit: area.revisit.bind(area), reopens: true }),
  };
}

const tooMany = `in it would have to be covered up while it is written to, and no more than ${maxMasks} can be`;

function readLinks(workspace: string, paths: readonly string[]): Map<string, string> {
  const links = new Map<string, string>();
  for (const path of paths) {
    try {
      links.set(path, readlinkSync(`${workspace}/${path}`));
    } catch {
      // It is no link, or not there any more.
    }
  }
  return links;
}
