// Builtins that change the shell itself: where it is, what its variables hold, and how it reads what follows.
import { addOpaque, addPlain, type BuiltinCall, type BuiltinReader } from './builtin-call.ts';
import { anywhere, type Ending, enterDirectory, staysIn } from './directories.ts';
import { isHarmlessForShell } from './is-harmless-variable.ts';
import type { Shell } from './shell.ts';
import { literalValue } from './word.ts';

/** Builtins after which nobody can say what later words of the line mean. */
export const uncertainBuiltins: ReadonlyMap<string, string> = new Map([
  ['alias', 'it gives other names to commands'],
  ['unalias', 'it gives other names to commands'],
  ['enable', 'it changes which commands are built in, and can load code'],
  ['hash', 'it can say which file a program is'],
  ['shopt', 'it changes how the rest is read'],
  ['bind', 'it can run commands'],
  ['complete', 'it can run commands'],
  ['compgen', 'it can run commands'],
  ['compopt', 'it changes how the rest is read'],
  ['let', 'evaluating it as numbers can run commands'],
  ['fc', 'it runs earlier commands'],
  ['history', 'it reads and writes the history of commands'],
  ['popd', 'it goes to a directory that is not named'],
  ['declare', 'it changes how variables are read'],
  ['typeset', 'it changes how variables are read'],
  ['local', 'it changes how variables are read'],
  ['readonly', 'it changes how variables are read'],
  ['export', 'it changes what programs are given'],
]);

export const settingBuiltins: ReadonlyMap<string, BuiltinReader> = new Map<string, BuiltinReader>([
  ['cd', readChangeDirectory],
  ['pushd', readChangeDirectory],
  ['set', readSet],
  ['printf', (shell, call) => readOptionsOf(shell, call, /^-v/)],
  ['wait', (shell, call) => readOptionsOf(shell, call, /^-p/)],
  ['jobs', (shell, call) => readOptionsOf(shell, call, /^-x/)],
  ['test', readTest],
  ['[', readTest],
  ['[[', readTest],
  ['read', readVariables],
  ['mapfile', readVariables],
  ['readarray', readVariables],
  ['getopts', readVariables],
  ['unset', readVariables],
]);

function readChangeDirectory(shell: Shell, call: BuiltinCall): Ending {
  const { words, setting } = call;
  const options = words.slice(1).filter((word) => /^-[LPe@]+$/.test(literalValue(word) ?? ''));
  const [target, ...more] = words.slice(1).filter((word) => !options.includes(word) && literalValue(word) !== '--');
  addPlain(shell, call);
  if (target !== undefined) shell.parts.path('read', target, false, setting.directories);
  const path = literalValue(target);
  const followsLinks = options.some((word) => (literalValue(word) ?? '').includes('P'));
  if (path === null || /^(?:$|-|\+)/.test(path) || more.length > 0 || followsLinks) return anywhere;
  return enterDirectory(setting.directories, path);
}

/** Options that only make the shell stricter or more talkative leave everything as it was read. */
function readSet(shell: Shell, call: BuiltinCall): Ending {
  const rest = call.words.slice(1).map(literalValue);
  const isPlain = rest.every((value) => /^(?:[-+][eux]*o?|pipefail|errexit|nounset|xtrace)$/.test(value ?? '?'));
  if (isPlain) {
    addPlain(shell, call);
    return staysIn(call.setting.directories);
  }
  addOpaque(shell, call, 'it changes how the rest is read');
  return anywhere;
}

/** A test looks at files, and evaluates what it compares as numbers. */
function readTest(shell: Shell, call: BuiltinCall): Ending {
  const { words, setting } = call;
  for (const [index, word] of words.entries()) {
    const operator = literalValue(words[index - 1]) ?? '';
    if (/^-[abcdefghkprsuwxGLNOS]$|^-[no]t$|^-ef$/.test(operator))
      shell.parts.path('read', word, false, setting.directories);
  }
  const isUncertain = words
    .slice(1)
    .map(literalValue)
    .some((value) => value === null || /^-(?:v|R|eq|ne|lt|le|gt|ge|t)$/.test(value));
  return readPlainUnless(shell, call, isUncertain);
}

/** Reads the options, which end at the first word that is certain to be none. */
function readOptionsOf(shell: Shell, call: BuiltinCall, uncertain: RegExp): Ending {
  const operand = call.words.findIndex((word, index) => index > 0 && /^[^-]/.test(literalValue(word) ?? ''));
  const options = call.words.slice(1, operand === -1 ? undefined : operand).map(literalValue);
  return readPlainUnless(
    shell,
    call,
    options.some((option) => option === null || uncertain.test(option)),
  );
}

function readPlainUnless(shell: Shell, call: BuiltinCall, isUncertain: boolean): Ending {
  if (isUncertain) addOpaque(shell, call, 'evaluating it as a variable or number can run commands');
  else addPlain(shell, call);
  return staysIn(call.setting.directories);
}

/** Sets variables: harmless while the names are plain ones that the shell gives no meaning. */
function readVariables(shell: Shell, call: BuiltinCall): Ending {
  const operands = call.words
    .slice(1)
    .map(literalValue)
    .filter((value) => value === null || !/^-[rst0-9nNdpieauE]+$|^\d+$/.test(value));
  const isPlain = operands.every((value) => value !== null && isHarmlessForShell(value));
  if (isPlain) addPlain(shell, call);
  else addOpaque(shell, call, 'it sets variables that the shell or programs may act on');
  return isPlain ? staysIn(call.setting.directories) : anywhere;
}
