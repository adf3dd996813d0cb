// git_worktree: further directories of the workspace in which another branch is checked out. What git writes down of them
// says where each lies, so it is made only where a command finds the workspace in its own place.
import { z } from 'zod';
import { toCommandText } from '../../guard/to-command-text.ts';
import type { Leavings } from '../../sandbox/sandbox.ts';
import { toPlainOutput } from '../to-plain-output.ts';
import type { CommandDone, Tool, ToolContext, ToolResult } from '../tool.ts';
import { failed } from '../tool-result.ts';
import { askGit } from './ask-git.ts';
import { BranchName } from './branch-name.ts';
import { changeWithGit } from './change-with-git.ts';
import { GitPath } from './git-paths.ts';
import { isGitsOwn } from './is-gits-own.ts';

const GitWorktreeArguments = z
  .strictObject({
    action: z.enum(['list', 'add', 'remove']),
    path: GitPath.optional().describe('The directory to add or to remove.'),
    branch: BranchName.optional().describe(
      'The branch to check out there; a new one of the name of the directory when left out.',
    ),
  })
  .refine(({ action, path }) => (action === 'list') === (path === undefined), {
    path: ['path'],
    message: 'add and remove need a path, list takes none',
  })
  .refine(({ action, branch }) => action === 'add' || branch === undefined, {
    path: ['branch'],
    message: 'only add takes a branch',
  });
type GitWorktreeArguments = z.infer<typeof GitWorktreeArguments>;

export const gitWorktree: Tool<GitWorktreeArguments> = {
  name: 'git_worktree',
  description: 'Lists, adds or removes directories in which another branch of the repository is checked out.',
  arguments: GitWorktreeArguments,
  kind: 'write',
  target: (args) => toCommandText(toAct(args)),
  acts: (args) => [{ kind: 'exec', argv: toAct(args), leavesOutUnreadable: true }, ...toWrites(args)],
  owns: isGitsOwn,
  prepare: async (args, context) =>
    args.action === 'list'
      ? { kind: 'look', run: () => list(args, context) }
      : { kind: 'command', text: toCommandText(toAct(args)), run: () => change(args, context) },
};

type Words = readonly [string, ...string[]];

const toWrites = ({ path }: GitWorktreeArguments) =>
  path === undefined ? [] : [{ kind: 'write', target: path } as const];

const toAct = (args: GitWorktreeArguments): Words => ['git', ...toWords(args)];

function toWords({ action, path = '', branch }: GitWorktreeArguments): Words {
  switch (action) {
    case 'list':
      return ['worktree', 'list'];
    case 'add':
      return ['worktree', 'add', path, ...(branch === undefined ? [] : [branch])];
    case 'remove':
      return ['worktree', 'remove', path];
  }
}

async function list(args: GitWorktreeArguments, context: ToolContext): Promise<ToolResult> {
  const answer = await askGit(context, { act: toAct(args), words: toWords(args) });
  if (answer.kind === 'failed') return answer.result;
  return { status: 'ok', text: toPlainOutput(answer.text).trimEnd(), origin: 'repository', seen: [] };
}

async function change(args: GitWorktreeArguments, context: ToolContext): Promise<CommandDone> {
  const { action, path } = args;
  const tell = () => `${action === 'add' ? 'Added' : 'Removed'} the worktree ${path}.`;
  const done = await changeWithGit(context, { act: toAct(args), words: toWords(args) }, { tell });
  if (!leadsElsewhere(done.leavings, context.commands.directory)) return done;
  return { ...done, result: failed(elsewhere), leavings: { kind: 'nothing' } };
}

/** Whether git took the workspace to lie where only this command found it. */
function leadsElsewhere(leavings: Leavings, directory: string): boolean {
  if (leavings.kind !== 'changes') return false;
  return leavings.changes.some(
    ({ path, after }) =>
      /^\.git\/worktrees\/[^/]+\/gitdir$/.test(path) &&
      after?.kind === 'file' &&
      !Buffer.from(after.bytes).toString('utf8').startsWith(`${directory}/`),
  );
}

const elsewhere =
  'No worktree was added: on this machine commands work in a copy of the workspace, and git would look for the worktree in that copy.';
