// Copies the files a gate is about into a directory of the gate's own, so that nothing the agent left beside them (a
// configuration, a cache, a link) has a say. Only regular files under their own names: links are refused.
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { toReport } from './report.ts';
import { reportUnread } from './report-unread.ts';

export interface SubjectFile {
  /** Relative to the workspace and to the copy alike. */
  readonly path: string;
  readonly text: string;
}

export type CopiedSubject =
  | { readonly kind: 'copied'; readonly files: readonly SubjectFile[] }
  | { readonly kind: 'unusable'; readonly report: CheckReport };

/** Copies `files` under `directory`; the first that cannot be used is the report. */
export async function copySubject(
  files: readonly string[],
  directory: string,
  context: CheckContext,
): Promise<CopiedSubject> {
  const copied: SubjectFile[] = [];
  for (const file of files) {
    const path = posix.normalize(file);
    if (posix.isAbsolute(path) || path === '..' || path.startsWith('../')) {
      return unusable(toReport('notEvaluated', `${file} is not a path inside the workspace.`));
    }
    const link = await findLink(context.workspace, path);
    if (link !== null) return unusable(toReport('notMet', `${link} is a link; a gate takes regular files only.`));
    const read = await context.readFile(path);
    if (read.kind !== 'file') return unusable(reportUnread(file, read));
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), read.file.bytes);
    copied.push({ path, text: Buffer.from(read.file.bytes).toString('utf8') });
  }
  return { kind: 'copied', files: copied };
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

function unusable(report: CheckReport): CopiedSubject {
  return { kind: 'unusable', report };
}
