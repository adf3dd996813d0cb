// git_branch: the branches, a new one, or another one to work on.
import { z } from 'zod';
import { toCommandText } from '../../guard/to-command-text.ts';
import { toPlainOutput } from '../to-plain-output.ts';
import type { CommandDone, Tool, ToolContext, ToolResult } from '../tool.ts';
import { askGit } from './ask-git.ts';
import { BranchName } from './branch-name.ts';
import { changeWithGit } from './change-with-git.ts';
import { isGitsOwn } from './is-gits-own.ts';

const GitBranchArguments = z
  .strictObject({
    action: z.enum(['list', 'create', 'switch']),
    name: BranchName.optional().describe('The branch to create or to switch to.'),
  })
  .refine(({ action, name }) => (action === 'list') === (name === undefined), {
    path: ['name'],
    message: 'create and switch need a name, list takes none',
  });
type GitBranchArguments = z.infer<typeof GitBranchArguments>;

export const gitBranch: Tool<GitBranchArguments> = {
  name: 'git_branch',
  description:
    'Lists the branches, creates one at the present commit, or switches to one. Files that differ between the branches are ' +
    'changed by a switch, each judged like any other write.',
  arguments: GitBranchArguments,
  kind: 'write',
  target: (args) => toCommandText(toAct(args)),
  acts: (args) => [{ kind: 'exec', argv: toAct(args), leavesOutUnreadable: true }],
  owns: isGitsOwn,
  prepare: async (args, context) =>
    args.action === 'list'
      ? { kind: 'look', run: () => list(args, context) }
      : { kind: 'command', text: toCommandText(toAct(args)), run: () => change(args, context) },
};

type Words = readonly [string, ...string[]];

const toAct = (args: GitBranchArguments): Words => ['git', ...toWords(args)];

function toWords({ action, name = '' }: GitBranchArguments): Words {
  switch (action) {
    case 'list':
      return ['branch', '--list', '--all', '--verbose'];
    case 'create':
      return ['branch', name];
    case 'switch':
      return ['switch', name];
  }
}

async function list(args: GitBranchArguments, context: ToolContext): Promise<ToolResult> {
  const answer = await askGit(context, { act: toAct(args), words: [...toWords(args), '--no-color'] });
  if (answer.kind === 'failed') return answer.result;
  const text = toPlainOutput(answer.text).trimEnd();
  return { status: 'ok', text: text === '' ? 'There is no branch yet.' : text, origin: 'repository', seen: [] };
}

function change(args: GitBranchArguments, context: ToolContext): Promise<CommandDone> {
  const words: Words = args.action === 'switch' ? [...toWords(args), '--no-guess', '--quiet'] : toWords(args);
  const done = args.action === 'switch' ? 'Switched to' : 'Created';
  return changeWithGit(context, { act: toAct(args), words }, { tell: () => `${done} the branch ${args.name}.` });
}
