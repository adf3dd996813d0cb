// Which files git keeps for a directory, from the index of its repository. Git itself is not asked: what the repository names
// would run, and nothing is started for a verdict.
import { posix } from 'node:path';
import type { PathAct } from '../../shared/act.ts';
import { findGitDirectory, type GitDirectory, toInside } from './find-git-directory.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { type GitIndex, parseGitIndex } from './parse-git-index.ts';
import { placePath } from './place-path.ts';
import { readRegularFile } from './read-regular-file.ts';
import { readSmallFile } from './read-small-file.ts';

export type TrackedFiles =
  | {
      readonly kind: 'files';
      /** Relative to `top`. */
      readonly paths: readonly string[];
      /** Where the repository begins, and where git was started: relative to the workspace. */
      readonly top: string;
      readonly start: string;
      readonly letterCase: PathAct['letterCase'];
    }
  /** There is no repository. */
  | { readonly kind: 'none' }
  /** `reason` is the end of a sentence. */
  | { readonly kind: 'unknown'; readonly reason: string };

const maxIndexBytes = 64 * 1024 * 1024;

/** `directory` as a line names it: relative to the workspace, or absolute. */
export async function readGitIndex(root: WorkspaceRoot, directory: string): Promise<TrackedFiles> {
  const repository = await findGitDirectory(root, directory);
  if (repository.kind !== 'found') return repository;
  const { path, top, start, letterCase } = repository;
  const settings = await readSettings(root, repository);
  if (settings.kind === 'unknown') return settings;
  const index = await readIndex(root, `${path}/index`, settings.hashBytes);
  return index.kind === 'unknown' ? index : { kind: 'files', paths: index.paths, top, start, letterCase };
}

type Settings = { readonly kind: 'settings'; readonly hashBytes: 20 | 32 } | Extract<GitIndex, { kind: 'unknown' }>;

/** What of the settings decides how the index is to be read. */
async function readSettings(
  root: WorkspaceRoot,
  { path, common, top }: Extract<GitDirectory, { kind: 'found' }>,
): Promise<Settings> {
  const texts = await Promise.all(
    [`${common}/config`, `${path}/config.worktree`].map((file) => readSmallFile(root, file)),
  );
  const text = texts.join('\n');
  const [, worktree] = /^\s*worktree\s*=\s*(.*?)\s*$/im.exec(text) ?? [];
  // A repository inside another says where it is checked out, which is where it was found.
  if (worktree !== undefined && path === common && toInside(root, path, worktree) !== posix.normalize(top))
    return { kind: 'unknown', reason: 'its repository names another directory for its files' };
  return { kind: 'settings', hashBytes: /^\s*objectformat\s*=\s*sha256\s*$/im.test(text) ? 32 : 20 };
}

async function readIndex(root: WorkspaceRoot, path: string, hashBytes: 20 | 32): Promise<GitIndex> {
  const { place } = placePath(root, 'read', path);
  try {
    const read = await readRegularFile(place, maxIndexBytes);
    if (read.kind === 'missing') return { kind: 'paths', paths: [] };
    if (read.kind === 'unreadable') return { kind: 'unknown', reason: 'its index cannot be read' };
    return parseGitIndex(read.file.bytes, hashBytes);
  } finally {
    place.close();
  }
}
