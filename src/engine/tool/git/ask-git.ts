// Has git tell something of the repository. What it changes on the way, in the copy that it sees, is thrown away.
import type { GitCommand } from '../../guard/guard.ts';
import { toCommandResult } from '../command-result.ts';
import { toPlainOutput } from '../to-plain-output.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { failed } from '../tool-result.ts';

export type GitAnswer =
  | { readonly kind: 'answer'; readonly code: number; readonly text: string }
  /** It ended in another way than was hoped for. */
  | { readonly kind: 'failed'; readonly result: ToolResult };

type Asking = Pick<ToolContext, 'commands' | 'permitted' | 'signal'>;

/** `codes`: how it may end, beside with 0. `whole`: an answer of which a part is missing is none. */
export async function askGit(
  { commands, permitted, signal }: Asking,
  git: GitCommand,
  { codes = [], isWhole = false }: { readonly codes?: readonly number[]; readonly isWhole?: boolean } = {},
): Promise<GitAnswer> {
  const end = await commands.run({ command: { git }, wallMs, permitted }, signal);
  if (end.kind === 'refused' || end.result.kind !== 'exit') return { kind: 'failed', result: toCommandResult(end) };
  const { code, stdout, stderr } = end.result;
  if (code !== 0 && !codes.includes(code)) return { kind: 'failed', result: toGitFailure(code, stderr.text) };
  if (isWhole && stdout.droppedBytes > 0) return { kind: 'failed', result: failed(tooMuch) };
  return { kind: 'answer', code, text: stdout.text };
}

export const wallMs = 120_000;

const tooMuch = 'There is too much to tell at once. Name fewer files or directories.';

/** What git says to people, without what it wrote for a program. */
export function toGitFailure(code: number, stderr: string): ToolResult {
  const said = toPlainOutput(stderr).trim();
  const where = isElsewhere(said) ? ` ${elsewhere}` : '';
  return { status: 'failed', text: `git failed (exit code ${code}): ${said}${where}`, origin: 'command', seen: [] };
}

const isElsewhere = (said: string): boolean => /not a git repository/.test(said);

const elsewhere =
  'A repository counts only when its .git lies in the workspace itself: what lies outside no command may reach.';
