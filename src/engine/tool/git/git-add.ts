// git_add: stages files as they are now, also that they are gone.
import { z } from 'zod';
import { toCommandText } from '../../guard/to-command-text.ts';
import type { CommandDone, Tool, ToolContext } from '../tool.ts';
import { count } from '../tool-result.ts';
import { changeWithGit, unchanged } from './change-with-git.ts';
import { findUnreadable } from './find-unreadable.ts';
import { GitPaths, toReads } from './git-paths.ts';
import { isGitsOwn } from './is-gits-own.ts';

const GitAddArguments = z.strictObject({
  paths: GitPaths.describe('Files, and directories with all that is in them; "." is everything.'),
});
type GitAddArguments = z.infer<typeof GitAddArguments>;

export const gitAdd: Tool<GitAddArguments> = {
  name: 'git_add',
  description: 'Stages files for the next commit. What .gitignore names, and what may not be read, is left out.',
  arguments: GitAddArguments,
  kind: 'write',
  target: (args) => toCommandText(toAct(args)),
  acts: (args) => [{ kind: 'exec', argv: toAct(args), leavesOutUnreadable: true }, ...toReads(args.paths)],
  owns: isGitsOwn,
  prepare: async (args, context) => ({
    kind: 'command',
    text: toCommandText(toAct(args)),
    run: () => run(args, context),
  }),
};

const toAct = ({ paths }: GitAddArguments) => ['git', 'add', '--', ...paths] as const;

async function run(args: GitAddArguments, context: ToolContext): Promise<CommandDone> {
  const { paths } = args;
  const act = toAct(args);
  const unreadable = await findUnreadable(context, act, paths);
  if (unreadable.kind === 'failed') return unchanged(unreadable.result, context.signal);
  const git = { act, words: ['add', '--verbose'], paths, without: unreadable.paths } as const;
  return changeWithGit(context, git, { tell: describe });
}

const maxLines = 200;

/** A line for each file, as git says it: `add 'src/a.ts'`. */
function describe(output: string): string {
  const lines = output.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return 'Nothing to stage: it is all as it was staged or committed.';
  const more = lines.length - maxLines;
  return [
    `Staged ${count(lines.length, 'file')}:`,
    ...lines.slice(0, maxLines),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
}
