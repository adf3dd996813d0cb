// Builtins that run something: a text, a file or another command.
import { addOpaque, addPlain, type BuiltinCall, type BuiltinReader, hide } from './builtin-call.ts';
import { anywhere, type Ending, staysIn } from './directories.ts';
import type { Shell } from './shell.ts';
import { literalValue } from './word.ts';

export const runningBuiltins: ReadonlyMap<string, BuiltinReader> = new Map<string, BuiltinReader>([
  ['eval', readEval],
  ['exec', readExec],
  ['command', readCommandBuiltin],
  ['builtin', readWrapped],
  ['source', readSource],
  ['.', readSource],
  ['trap', readTrap],
]);

function readEval(shell: Shell, call: BuiltinCall): Ending {
  addPlain(shell, call);
  const hasEnd = literalValue(call.words[1]) === '--';
  const values = call.words.slice(hasEnd ? 2 : 1).map(literalValue);
  if (values.every((value) => value !== null)) return shell.readNested(values.join(' '), call.setting.directories);
  hide(shell, call, 'the text it runs is not known');
  return anywhere;
}

/** `exec` without a program only redirects; with one the shell is gone, and so is everything after it. */
function readExec(shell: Shell, call: BuiltinCall): Ending {
  addPlain(shell, call);
  const { words, setting, run } = call;
  let at = 1;
  while (/^-[cl]*a?$/.test(literalValue(words[at]) ?? '') && literalValue(words[at]) !== '-')
    at += literalValue(words[at])?.endsWith('a') ? 2 : 1;
  if (literalValue(words[at]) === '--') at++;
  run(words.slice(at), { ...setting, isShell: false, depth: setting.depth + 1 });
  return staysIn(setting.directories);
}

/** `command -v` only says what a name stands for. */
function readCommandBuiltin(shell: Shell, call: BuiltinCall): Ending {
  const options = call.words.slice(1).findIndex((word) => !/^-[pvV]+$/.test(literalValue(word) ?? ''));
  const flags = call.words.slice(1, options === -1 ? undefined : options + 1).map(literalValue);
  if (flags.some((flag) => /[vV]/.test(flag ?? ''))) {
    addPlain(shell, call);
    return staysIn(call.setting.directories);
  }
  return readWrapped(shell, call);
}

function readWrapped(shell: Shell, call: BuiltinCall): Ending {
  addPlain(shell, call);
  const { words, setting, run } = call;
  const start = words.findIndex((word, index) => index > 0 && !/^(?:-p|--)$/.test(literalValue(word) ?? ''));
  if (start === -1) return staysIn(setting.directories);
  return run(words.slice(start), { ...setting, depth: setting.depth + 1 });
}

function readSource(shell: Shell, call: BuiltinCall): Ending {
  addOpaque(shell, call, 'it runs what a file holds');
  const file = call.words.slice(1).find((word) => literalValue(word) !== '--');
  if (file !== undefined) shell.parts.path('read', file, false, call.setting.directories);
  return anywhere;
}

function readTrap(shell: Shell, call: BuiltinCall): Ending {
  addPlain(shell, call);
  const [action] = call.words.slice(1).filter((word) => !/^(?:--|-[lp]+)$/.test(literalValue(word) ?? ''));
  const line = literalValue(action);
  if (action === undefined || line === '-' || line === '') return staysIn(call.setting.directories);
  if (line === null) hide(shell, call, 'the text it runs is not known');
  else shell.readNested(line, null);
  return staysIn(call.setting.directories);
}
