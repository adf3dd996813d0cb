// git_commit: what is staged, or the named files as they are now. No hook runs and nothing is signed.
import { z } from 'zod';
import type { GitCommand } from '../../guard/guard.ts';
import { toCommandText } from '../../guard/to-command-text.ts';
import type { CommandDone, Tool, ToolContext } from '../tool.ts';
import { askGit } from './ask-git.ts';
import { changeWithGit, unchanged } from './change-with-git.ts';
import { findUnreadable } from './find-unreadable.ts';
import { GitPaths, toReads } from './git-paths.ts';
import { isGitsOwn } from './is-gits-own.ts';

const GitCommitArguments = z.strictObject({
  message: z
    .string()
    .trim()
    .min(1)
    .max(32_000)
    .refine((text) => !text.includes('\0'), 'no message holds the character U+0000')
    .describe('A subject, an empty line, then why.'),
  paths: GitPaths.optional().describe(
    'Commit these files as they are now, and nothing else; what is staged when left out.',
  ),
});
type GitCommitArguments = z.infer<typeof GitCommitArguments>;

export const gitCommit: Tool<GitCommitArguments> = {
  name: 'git_commit',
  description: 'Commits what is staged, or the named files as they are now. Hooks do not run and nothing is signed.',
  arguments: GitCommitArguments,
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

const toWords = ({ message }: GitCommitArguments) => ['commit', `--message=${message}`] as const;

const toAct = (args: GitCommitArguments) =>
  ['git', ...toWords(args), ...(args.paths === undefined ? [] : ['--', ...args.paths])] as const;

async function run(args: GitCommitArguments, context: ToolContext): Promise<CommandDone> {
  const act = toAct(args);
  const { paths } = args;
  const named = await askGit(
    context,
    { act, words: ['config', '--get-regexp', '^user\\.(name|email)$'] },
    { codes: [1] },
  );
  if (named.kind === 'failed') return unchanged(named.result, context.signal);
  const unreadable = paths === undefined ? nothing : await findUnreadable(context, act, paths);
  if (unreadable.kind === 'failed') return unchanged(unreadable.result, context.signal);
  const git: GitCommand = {
    act,
    words: [...toWords(args), '--no-verify', '--no-gpg-sign', '--cleanup=whitespace'],
    ...(paths === undefined ? {} : { paths, without: unreadable.paths }),
    ...(isSomebody(named.text) ? {} : { author: 'person' }),
  };
  return changeWithGit(context, git, { tell: describe, silence: nothingToCommit });
}

const nothing = { kind: 'found', paths: [] } as const;

/** It then tells people the state of the repository, on stdout, with files in it that may not be read. */
const nothingToCommit = 'There is nothing to commit. Stage files with git_add, or name paths.';

const isSomebody = (settings: string): boolean => /^user\.name ./m.test(settings) && /^user\.email ./m.test(settings);

/** The commit and how much it changes, without the list of files. */
function describe(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/^ (?:create|delete|mode|rename|copy|rewrite) /.test(line))
    .join('\n');
}
