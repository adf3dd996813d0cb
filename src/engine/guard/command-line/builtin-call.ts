// A builtin with its words, and the ways in which it becomes a part.
import type { Ending } from './directories.ts';
import type { CommandSetting, Shell } from './shell.ts';
import { literalValue, toWordsText, type Word } from './word.ts';

export interface BuiltinCall {
  readonly words: readonly Word[];
  readonly setting: CommandSetting;
  /** Reads a command that the builtin runs. */
  readonly run: (words: readonly Word[], setting: CommandSetting) => Ending;
}

export type BuiltinReader = (shell: Shell, call: BuiltinCall) => Ending;

/** The builtin as a part; opaque when one of its words is not literal. */
export function addPlain(shell: Shell, { words, setting: { problem, directories } }: BuiltinCall): void {
  const values = words.map(literalValue);
  const [program = null, ...rest] = values;
  if (program === null) return;
  if (problem === null && rest.every((value) => value !== null))
    shell.parts.command([program, ...rest.filter((value) => value !== null)], directories);
  else shell.parts.openCommand(program, { words, reason: problem ?? 'one of its words is not literal' }, directories);
}

/** The builtin as a part that its words do not tell, and that can run anything. */
export function addOpaque(shell: Shell, call: BuiltinCall, reason: string): void {
  shell.parts.openCommand(literalValue(call.words[0]), { words: call.words, reason }, call.setting.directories);
  hide(shell, call, reason);
}

/** What it runs may be anything. */
export function hide(shell: Shell, { words, setting }: BuiltinCall, reason: string): void {
  shell.parts.hidden(toWordsText(words), reason, setting.directories);
}
