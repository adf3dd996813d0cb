// git_status: which files are changed, staged or new. Files that may not be read are not named.
import { z } from 'zod';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { toOneLine } from '../tool-result.ts';
import { askGit } from './ask-git.ts';
import { readNames } from './git-paths.ts';

const words = ['status', '--short', '--branch'] as const;
const act = ['git', ...words] as const;

export const gitStatus: Tool<Record<string, never>> = {
  name: 'git_status',
  description:
    'Shows the branch and, a line each, the files that differ: two letters (staged, not staged) and the path, as "git status ' +
    '--short" does; ?? is a file that git does not know.',
  arguments: z.strictObject({}),
  kind: 'read',
  target: () => act.join(' '),
  acts: () => [{ kind: 'exec', argv: act }],
  prepare: async (_, context) => ({ kind: 'look', run: () => run(context) }),
};

async function run(context: ToolContext): Promise<ToolResult> {
  const options = ['-z', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const answer = await askGit(context, { act, words: [...words, ...options] }, { isWhole: true });
  if (answer.kind === 'failed') return answer.result;
  const [branch, ...entries] = readEntries(answer.text);
  const readable = await context.files.readable(entries.flatMap(({ paths }) => paths));
  const shown = entries.filter(({ paths }) => paths.every((path) => readable.has(path)));
  const lines = [branch, ...shown.slice(0, maxLines)].map((entry) => (entry === undefined ? '' : toLine(entry)));
  const more = shown.length - maxLines;
  if (more > 0) lines.push(`[and ${more} more]`);
  if (shown.length === 0) lines.push('Nothing differs.');
  return { status: 'ok', text: lines.join('\n'), origin: 'repository', seen: [] };
}

const maxLines = 1000;

interface Entry {
  readonly letters: string;
  /** The path; of what was moved also where it was. */
  readonly paths: readonly string[];
}

/** The branch comes first. */
function readEntries(text: string): Entry[] {
  const names = readNames(text);
  const entries: Entry[] = [];
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const letters = name.slice(0, 2);
    const isMoved = /[RC]/.test(letters);
    const from = isMoved ? names[++at] : undefined;
    entries.push({ letters, paths: from === undefined ? [name.slice(3)] : [name.slice(3), from] });
  }
  return entries;
}

function toLine({ letters, paths: [path = '', from] }: Entry): string {
  return `${letters} ${from === undefined ? '' : `${toOneLine(from)} -> `}${toOneLine(path)}`;
}
