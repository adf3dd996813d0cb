// Reads the files a gate is about, which it gets in a directory of its own: nothing the agent left beside them (a
// configuration, a cache, a link) has a say. Only regular files under their own names: links are refused.
import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { BoxFile } from '../sandbox/sandbox.ts';
import { gatePrefix, toBoxFile } from './box-file.ts';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { toReport } from './report.ts';
import { reportUnread } from './report-unread.ts';

export type Subject =
  /** Under the paths that they have in the workspace. */
  | { readonly kind: 'read'; readonly files: readonly BoxFile[] }
  | { readonly kind: 'unusable'; readonly report: CheckReport };

/** The first file that cannot be used is the report. */
export async function readSubject(names: readonly string[], context: CheckContext): Promise<Subject> {
  const files: BoxFile[] = [];
  for (const path of new Set(names.map((name) => posix.normalize(name)))) {
    const problem = findNameProblem(path);
    if (problem !== null) return unusable(toReport('notEvaluated', `${path} ${problem}.`));
    const link = await findLink(context.workspace, path);
    if (link !== null) return unusable(toReport('notMet', `${link} is a link; a gate takes regular files only.`));
    const read = await context.readFile(path);
    if (read.kind !== 'file') return unusable(reportUnread(path, read));
    files.push(toBoxFile(path, read.file.bytes));
  }
  return { kind: 'read', files };
}

function findNameProblem(path: string): string | null {
  if (posix.isAbsolute(path) || path === '..' || path.startsWith('../')) return 'is not a path inside the workspace';
  return posix.basename(path).startsWith(gatePrefix) ? 'has a name that gates keep for themselves' : null;
}

/** The first part of the path that is a link, or null. */
async function findLink(workspace: string, path: string): Promise<string | null> {
  const parts = path.split('/');
  for (const [index] of parts.entries()) {
    const part = parts.slice(0, index + 1).join('/');
    const isLink = await lstat(join(workspace, part)).then(
      (entry) => entry.isSymbolicLink(),
      () => false,
    );
    if (isLink) return part;
  }
  return null;
}

function unusable(report: CheckReport): Subject {
  return { kind: 'unusable', report };
}
