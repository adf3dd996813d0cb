// Files that git keeps but that no command can see here, because they may not be read: to git they look deleted, and so they
// have to be left out of whatever takes the present files over.
import type { ToolContext } from '../tool.ts';
import { askGit, type GitAnswer } from './ask-git.ts';
import { readNames } from './git-paths.ts';

export type Unreadable =
  | { readonly kind: 'found'; readonly paths: readonly string[] }
  | Extract<GitAnswer, { kind: 'failed' }>;

/** Those among `paths`; `act` is the act for whose sake they are looked for. */
export async function findUnreadable(
  context: ToolContext,
  act: readonly [string, ...string[]],
  paths: readonly string[],
): Promise<Unreadable> {
  const answer = await askGit(context, { act, words: ['ls-files', '-z', '--deleted'], paths }, { isWhole: true });
  if (answer.kind === 'failed') return answer;
  const names = readNames(answer.text);
  const readable = await context.files.readable(names);
  return { kind: 'found', paths: names.filter((name) => !readable.has(name)) };
}
