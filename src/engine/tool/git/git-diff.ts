// git_diff: what differs from what is staged, or what is staged from the last commit. Which files differ is found out first;
// only those that may be read are then compared, so that of any other nothing is shown, not even as it once was.
import { z } from 'zod';
import { toPlainOutput } from '../to-plain-output.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { count } from '../tool-result.ts';
import { askGit } from './ask-git.ts';
import { GitPaths, readNames, toReads } from './git-paths.ts';

const GitDiffArguments = z.strictObject({
  staged: z.boolean().optional().describe('What is staged, against the last commit; what is not staged when left out.'),
  paths: GitPaths.optional().describe('Only these files and what is in these directories.'),
});
type GitDiffArguments = z.infer<typeof GitDiffArguments>;

export const gitDiff: Tool<GitDiffArguments> = {
  name: 'git_diff',
  description: 'Shows what differs in files that git knows, as a unified diff. New files show once they are added.',
  arguments: GitDiffArguments,
  kind: 'read',
  target: (args) => [...toAct(args), ...(args.paths ?? [])].join(' '),
  acts: (args) => [{ kind: 'exec', argv: toAct(args), leavesOutUnreadable: true }, ...toReads(args.paths)],
  prepare: async (args, context) => ({ kind: 'look', run: () => run(args, context) }),
};

const toWords = ({ staged }: GitDiffArguments) => ['diff', ...(staged === true ? ['--cached'] : [])] as const;
const toAct = (args: GitDiffArguments) => ['git', ...toWords(args)] as const;

/** More are not compared at once. */
const maxFiles = 500;
const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '--submodule=short'];

async function run(args: GitDiffArguments, context: ToolContext): Promise<ToolResult> {
  const act = toAct(args);
  const ask = (more: readonly string[], paths: readonly string[], isWhole: boolean) =>
    askGit(context, { act, words: [...toWords(args), ...options, ...more], paths }, { isWhole });
  const named = await ask(['--no-renames', '--name-only', '-z'], args.paths ?? [], true);
  if (named.kind === 'failed') return named.result;
  const readable = [...(await context.files.readable(readNames(named.text)))];
  if (readable.length === 0) return toResult('Nothing differs.');
  const compared = await ask(['--find-renames'], readable.slice(0, maxFiles), false);
  if (compared.kind === 'failed') return compared.result;
  const left = readable.length - maxFiles;
  const note = left > 0 ? `\n[${count(left, 'more file')} left out: name paths]` : '';
  return toResult(`${toPlainOutput(compared.text).trimEnd()}${note}`);
}

const toResult = (text: string): ToolResult => ({ status: 'ok', text, origin: 'repository', seen: [] });
