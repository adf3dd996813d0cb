// One command: which program it is, what that program does with its words, and what it runs in its turn.
import { posix } from 'node:path';
import { anywhere, type Directories, type Ending, enterDirectory, startDirectories, staysIn } from './directories.ts';
import type { TrackedScope } from './line-part.ts';
import { programReaders } from './program-readers.ts';
import type { Payload, ProgramUse, TrackedUse } from './program-use.ts';
import { readBuiltin } from './read-builtin.ts';
import type { CommandSetting, Shell } from './shell.ts';
import { literalValue, toWordsText, type Word } from './word.ts';

const maxDepth = 12;

/** Adds everything that the command comes to; answers where the shell may be after it. */
export function readCommand(shell: Shell, words: readonly Word[], setting: CommandSetting): Ending {
  const { directories, problem, isShell, depth } = setting;
  const [first] = words;
  if (first === undefined) return staysIn(directories);
  if (depth > maxDepth) return hide(shell, words, { ...setting, problem: 'too many commands stand inside each other' });
  if (first.kind === 'open') return hide(shell, words, { ...setting, problem: `its program ${first.reason}` });
  if (first.isHome || first.value === '')
    return hide(shell, words, { ...setting, problem: 'it is not clear which program it is' });
  const ending = isShell ? readShellWord(shell, words, setting) : null;
  if (ending !== null) return ending;
  const name = posix.basename(first.value);
  const use = programReaders.get(name)?.(words.slice(1), { program: name, isFed: isShell && shell.isFed });
  addCommand(shell, { words, tracked: use?.tracked ?? null }, { ...setting, problem: problem ?? use?.opaque ?? null });
  if (use !== undefined) addUse(shell, { words, use }, setting);
  return staysIn(directories);
}

/** A keyword, a builtin or a function; null for a program. */
function readShellWord(shell: Shell, words: readonly Word[], setting: CommandSetting): Ending | null {
  if (isSyntax(words[0]?.text ?? '')) return readAfterKeyword(shell, words, setting);
  const run = (inner: readonly Word[], context: CommandSetting) => readCommand(shell, inner, context);
  const ending = readBuiltin(shell, { words, setting, run });
  if (ending !== null) return ending;
  const name = literalValue(words[0]);
  if (name === null || !shell.functions.has(name)) return null;
  shell.parts.openCommand(name, { words, reason: 'the line itself says what this name does' }, setting.directories);
  return anywhere;
}

/** A command as a part: with all its words when they are literal. */
function addCommand(
  shell: Shell,
  { words, tracked }: { words: readonly Word[]; tracked: TrackedUse | null },
  { directories, problem }: CommandSetting,
): void {
  const [first, ...rest] = words;
  if (first?.kind !== 'literal') return;
  const open = rest.find((word) => word.kind === 'open' || word.isHome);
  const scope = tracked === null ? null : toScope(tracked, directories);
  const reason = problem ?? (open === undefined ? null : `one of its words ${describe(open)}`);
  if (reason !== null) shell.parts.openCommand(first.value, { words, reason, tracked: scope }, directories);
  else
    shell.parts.command(
      [first.value, ...rest.flatMap((word) => (word.kind === 'literal' ? [word.value] : []))],
      directories,
      scope,
    );
}

function toScope({ directory, pathspecs }: TrackedUse, directories: Directories): TrackedScope {
  return { directories: directory === null ? null : enterDirectory(directories, directory).success, pathspecs };
}

/** Everything that a program opens, dials and runs. */
function addUse(
  shell: Shell,
  { words, use }: { words: readonly Word[]; use: ProgramUse },
  setting: CommandSetting,
): void {
  for (const { act, word, isDeep, isFromStart } of use.paths)
    shell.parts.path(act, word, isDeep, isFromStart === true ? startDirectories : setting.directories);
  for (const target of use.nets) shell.parts.net(target);
  for (const payload of use.payloads) runPayload(shell, { words, payload }, setting);
}

function runPayload(
  shell: Shell,
  { words, payload }: { words: readonly Word[]; payload: Payload },
  setting: CommandSetting,
): void {
  if (payload.kind === 'hidden') {
    shell.parts.hidden(toWordsText(words), payload.reason, setting.directories);
    return;
  }
  const directories =
    payload.directory === null ? null : enterDirectory(setting.directories, payload.directory).success;
  if (payload.kind === 'line') shell.readNested(payload.line, directories);
  else readCommand(shell, payload.words, { directories, problem: null, isShell: false, depth: setting.depth + 1 });
}

/** Nobody can say what runs; the words are shown as they are. */
function hide(shell: Shell, words: readonly Word[], { directories, problem }: CommandSetting): Ending {
  shell.parts.hidden(toWordsText(words), problem ?? 'it is not clear what runs', directories);
  return anywhere;
}

const keywords = new Set(
  'if then else elif fi for while until do done case esac select function in coproc time { } ! [[ ]]'.split(' '),
);

/** Text that the shell does not take for a program, although the grammar did. */
function isSyntax(text: string): boolean {
  return (keywords.has(text) && text !== '[[') || /^\w+(?:\[[\s\S]*\])?\+?=/.test(text);
}

/** `time` and `coproc` only run what follows; any other keyword here means that the line was not understood. */
function readAfterKeyword(shell: Shell, words: readonly Word[], setting: CommandSetting): Ending {
  const [keyword, ...rest] = words;
  const options = keyword?.text === 'time' ? rest.findIndex((word) => !/^(?:-p|--)$/.test(word.text)) : 0;
  const inner = options === -1 ? [] : rest.slice(options);
  const nested = { ...setting, depth: setting.depth + 1 };
  if (keyword?.text === 'time') return readCommand(shell, inner, nested);
  if (keyword?.text !== 'coproc') hide(shell, words, { ...setting, problem: 'it is not a command by itself' });
  readCommand(shell, inner, nested);
  return keyword?.text === 'coproc' ? staysIn(setting.directories) : anywhere;
}

function describe(word: Word): string {
  return word.kind === 'open' ? word.reason : 'depends on a home directory';
}
