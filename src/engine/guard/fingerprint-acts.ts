// What the files that a call depends on are right now: an answer to a question about the call counts only as long as they
// stay so. A content is told by its hash; programs, large files and what lies outside by the file's identity and last change.
import { type BigIntStats, lstatSync } from 'node:fs';
import type { JudgedAct, PathAct } from '../../shared/act.ts';
import type { NamedFile } from '../../shared/approval.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placePath } from './place-path.ts';
import { readRegularFile } from './read-regular-file.ts';

const maxHashedBytes = 64 * 1024 * 1024;

/** One entry for each file that is named or run, sorted by path. What is denied is not looked at. */
export async function fingerprintActs(root: WorkspaceRoot, acts: readonly JudgedAct[]): Promise<NamedFile[]> {
  const files = new Map<string, string | null>();
  for (const { act, verdict } of acts) {
    if (verdict.effect === 'deny') continue;
    if (act.kind === 'exec' && act.program?.real) files.set(act.program.real, identifyFile(act.program.real));
    if (act.kind === 'read' || act.kind === 'write') files.set(act.target, await fingerprintPath(root, act));
  }
  return [...files].map(([path, hash]) => ({ path, hash })).sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function fingerprintPath(root: WorkspaceRoot, act: PathAct): Promise<string | null> {
  if (act.outside) return identifyFile(act.real ?? act.target);
  const { place } = placePath(root, 'read', act.target);
  try {
    if (place.kind === 'missing') return null;
    if (place.kind === 'outside') return 'not in the workspace';
    if (!place.stats.isFile()) return describe(place.stats);
    const read = await readRegularFile(place, maxHashedBytes);
    if (read.kind === 'file') return read.file.hash;
    return read.kind === 'missing' ? null : describe(place.stats);
  } finally {
    place.close();
  }
}

function identifyFile(path: string): string | null {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : describe(stats);
  } catch {
    return 'cannot be looked up';
  }
}

/** A directory's own entry changes with every file in it, so that of it only the kind is told. */
function describe(stats: BigIntStats): string {
  return stats.isDirectory() ? 'directory' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
