// Has git change the repository. What it changed comes back as changes that nobody has made yet.
import type { GitCommand } from '../../guard/guard.ts';
import { toCommandDone } from '../command-result.ts';
import { toPlainOutput } from '../to-plain-output.ts';
import type { CommandDone, ToolContext, ToolResult } from '../tool.ts';
import { toGitFailure, wallMs } from './ask-git.ts';

export interface Telling {
  /** What the model is told when it went well. */
  readonly tell: (output: string) => string;
  /** What it means when it failed and git gave no reason. */
  readonly silence?: string;
}

export async function changeWithGit(
  { commands, permitted, signal }: ToolContext,
  git: GitCommand,
  { tell, silence = '' }: Telling,
): Promise<CommandDone> {
  const end = await commands.run({ command: { git }, wallMs, permitted }, signal);
  const done = toCommandDone(end);
  if (end.kind === 'refused' || end.result.kind !== 'exit') return done;
  const { code, stdout, stderr } = end.result;
  if (code !== 0) {
    const result = toGitFailure(code, stderr.text.trim() === '' ? silence : stderr.text);
    return { ...done, result, leavings: { kind: 'nothing' } };
  }
  const text = tell(toPlainOutput(stdout.text).trimEnd());
  const result: ToolResult = { status: 'ok', text, origin: 'command', seen: [] };
  return { ...done, result };
}

/** A call that ended before git was asked to change anything. `signal`: by it nobody wants the call any more. */
export function unchanged(result: ToolResult, signal: AbortSignal): CommandDone {
  return { result, ran: null, leavings: { kind: 'nothing' }, isCutOff: signal.aborted };
}
