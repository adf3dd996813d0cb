// git_log: the last commits with their messages. No contents: those are shown by what may read them.
import { z } from 'zod';
import { toPlainOutput } from '../to-plain-output.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { askGit } from './ask-git.ts';
import { GitPath, toReads } from './git-paths.ts';

const GitLogArguments = z.strictObject({
  count: z.int().min(1).max(200).optional().describe('How many commits; 20 when left out.'),
  path: GitPath.optional().describe('Only commits that changed this file, or something in this directory.'),
});
type GitLogArguments = z.infer<typeof GitLogArguments>;

export const gitLog: Tool<GitLogArguments> = {
  name: 'git_log',
  description: 'Shows the last commits of the branch, newest first: hash, author, date and message.',
  arguments: GitLogArguments,
  kind: 'read',
  target: (args) => [...toAct(args), ...toPaths(args)].join(' '),
  acts: (args) => [{ kind: 'exec', argv: toAct(args), leavesOutUnreadable: true }, ...toReads(toPaths(args))],
  prepare: async (args, context) => ({ kind: 'look', run: () => run(args, context) }),
};

const toWords = ({ count = 20 }: GitLogArguments) => ['log', `--max-count=${count}`] as const;
const toAct = (args: GitLogArguments) => ['git', ...toWords(args)] as const;
const toPaths = ({ path }: GitLogArguments): string[] => (path === undefined ? [] : [path]);

const options = ['--no-color', '--no-patch', '--no-notes', '--date=iso-strict', '--decorate=short', '--pretty=medium'];

async function run(args: GitLogArguments, context: ToolContext): Promise<ToolResult> {
  const words = [...toWords(args), ...options] as const;
  const answer = await askGit(context, { act: toAct(args), words, paths: toPaths(args) });
  if (answer.kind === 'failed') return answer.result;
  const text = toPlainOutput(answer.text).trimEnd();
  return { status: 'ok', text: text === '' ? 'No commit changed that.' : text, origin: 'repository', seen: [] };
}
