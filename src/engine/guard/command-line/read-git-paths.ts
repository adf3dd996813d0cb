// The files that a git command opens. A path before `--` cannot be told from a revision, so every operand is looked at as one;
// `revision:path` names a file as well, whose old content is as secret as its present one.
import { isAbbreviation } from './git-commands.ts';
import { splitRevision } from './git-revision-path.ts';
import type { ProgramUse } from './program-use.ts';
import { literalValue, toLiteralWord, toPath, type Word } from './word.ts';

const names = (text: string) => new Set(text.split(' '));
const reads = names('add diff log show blame annotate grep cat-file archive hash-object whatchanged shortlog');
const writes = names('rm mv checkout restore');
/** Options whose value is a file that is read, whatever the command. */
const fileOptions = [
  '--template',
  '--file',
  '--pathspec-from-file',
  '--exclude-from',
  '--contents',
  '--ignore-revs-file',
];

const shortFileOptions: Readonly<Record<string, RegExp>> = {
  commit: /^-[Ft](.*)$/s,
  tag: /^-F(.*)$/s,
  notes: /^-F(.*)$/s,
  merge: /^-F(.*)$/s,
  'ls-files': /^-X(.*)$/s,
};

export interface GitCall {
  readonly command: string;
  readonly words: readonly Word[];
  /** Where git goes before it does anything, as written: `.` where it stays. */
  readonly directory: string;
}

export function readGitPaths(use: ProgramUse, call: GitCall): void {
  const { command, words } = call;
  const operands = findOperands(words);
  readFileOptions(use, call);
  if (command === 'clean') readClean(use, call);
  if (command === 'init') openTarget(use, call, operands[0] ?? toLiteralWord('.'));
  if (command === 'clone') openTarget(use, call, operands[1]);
  if (command === 'grep') readGrep(use, call, operands);
  const act = writes.has(command) ? 'write' : reads.has(command) ? 'read' : null;
  if (act === null || (command === 'checkout' && words.some((word) => /^(?:-[bB]|--orphan)$/.test(word.text)))) return;
  const isDeep = act === 'write' || goesThroughDirectories(call, operands);
  for (const word of operands) readOperand(use, call, { act, word, isDeep });
}

interface Operand {
  readonly act: 'read' | 'write';
  readonly word: Word;
  readonly isDeep: boolean;
}

function readOperand(use: ProgramUse, call: GitCall, { act, word, isDeep }: Operand): void {
  const text = toPath(word) ?? '';
  const inRevision = splitRevision(text);
  if (inRevision !== null) {
    const isFromTop = !/^\.{1,2}\//.test(inRevision);
    const path = toLiteralWord(inRevision);
    if (isFromTop) use.openFromStart('read', path);
    else use.open('read', below(call, path), true);
    return;
  }
  if (isPlainException(text)) return;
  // Adding takes what is matched into the index, and shows none of it.
  const isPattern = word.kind === 'literal' && /^:|[*?[]/.test(text);
  if (isPattern && call.command !== 'add') use.blur('git itself finds out which files one of its words means');
  if (text !== '') use.open(act, below(call, word), isDeep);
}

/** Of most directories git shows what it keeps; of these it shows whatever is there. Two that it compares may be any two. */
function goesThroughDirectories({ command, words }: GitCall, operands: readonly Word[]): boolean {
  if (command === 'diff') return operands.length === 2 || hasOption(words, ['--no-index']);
  return command === 'hash-object' || (command === 'grep' && hasOption(words, unkept));
}

/** What is left out, by plain words. */
function isPlainException(text: string): boolean {
  return /^:(?:[!^]|\(exclude\))[\w./-]+$/.test(text);
}

function readFileOptions(use: ProgramUse, call: GitCall): void {
  for (const [index, word] of call.words.entries()) {
    const text = literalValue(word) ?? '';
    if (text === '--') return;
    const [written = '', value] = text.split(/=(.*)/s);
    const isLong = fileOptions.some((option) => isAbbreviation(written, option));
    const attached = isLong ? value : shortFileOptions[call.command]?.exec(text)?.[1];
    if (attached !== undefined && attached !== '') use.open('read', below(call, toLiteralWord(attached)));
    else if (isLong || attached === '') use.open('read', below(call, call.words[index + 1]));
  }
}

/** It goes through everything that git does not keep. */
function readClean(use: ProgramUse, call: GitCall): void {
  const options = call.words.map((word) => literalValue(word) ?? '');
  if (options.some((option) => /^-[a-zA-Z]*n|^--dry-run$/.test(option))) return;
  const takesIgnored = options.some((option) => /^-[a-zA-Z]*[xX]/.test(option));
  if (!takesIgnored) use.blur('which files it removes is not in its words');
  const operands = findOperands(call.words);
  for (const word of operands.length === 0 ? [toLiteralWord('.')] : operands)
    use.open('write', below(call, word), takesIgnored);
}

/** A repository is made there. */
function openTarget(use: ProgramUse, call: GitCall, word: Word | undefined): void {
  const path = literalValue(word);
  if (path === null) return;
  for (const written of [path, `${path}/.git/HEAD`]) use.open('write', below(call, toLiteralWord(written)));
}

/** With these options it looks into files that git does not keep, as any other search would. */
function readGrep(use: ProgramUse, call: GitCall, operands: readonly Word[]): void {
  const texts = call.words.map((word) => literalValue(word) ?? '');
  const hasPattern = texts.some((text) => /^-[ef]/.test(text));
  if (hasOption(call.words, unkept) && operands.length <= (hasPattern ? 0 : 1))
    use.open('read', below(call, toLiteralWord('.')), true);
}

const unkept = ['--no-index', '--untracked', '--no-exclude-standard'];

function hasOption(words: readonly Word[], options: readonly string[]): boolean {
  return words.some((word) => options.some((option) => isAbbreviation(literalValue(word) ?? '', option)));
}

function findOperands(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word) => literalValue(word) === '--');
  const isOption = (word: Word) => /^-./.test(literalValue(word) ?? '');
  return end === -1
    ? words.filter((word) => !isOption(word))
    : [...words.slice(0, end).filter((word) => !isOption(word)), ...words.slice(end + 1)];
}

/** The word as a path from where git has gone. */
function below({ directory }: GitCall, word: Word | undefined): Word | null {
  const path = word === undefined ? null : toPath(word);
  if (word === undefined || path === null || directory === '.' || path.startsWith('/')) return word ?? null;
  if (word.kind === 'open') return { ...word, head: `${directory}/${path}` };
  return word.isHome ? word : toLiteralWord(`${directory}/${path}`);
}
