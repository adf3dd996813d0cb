// `sed`: its script is read far enough to know that it only prints and changes text; any command that reads, writes or runs
// something, and anything not understood, makes it opaque.
import { parseOptions, toForms } from './parse-options.ts';
import { ProgramUse } from './program-use.ts';
import { literalValue, toPath, type Word } from './word.ts';

const forms = toForms({ value: '-e --expression -f --file -l --line-length', attached: '-i --in-place' });

export function readSed(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  const { options, operands } = parseOptions(words, { forms });
  const scripts = options.filter(({ name }) => name === '-e' || name === '--expression').map(({ value }) => value);
  const files = options.filter(({ name }) => name === '-f' || name === '--file');
  for (const { value } of files) use.open('read', value).blur('its script is in a file');
  const rest = [...operands];
  if (scripts.length === 0 && files.length === 0) scripts.push(rest.shift() ?? null);
  for (const script of scripts)
    if (!isPlainSedScript(literalValue(script ?? undefined) ?? '?'))
      use.blur('its script may read, write or run something');
  const inPlace = options.find(({ name }) => name === '-i' || name === '--in-place');
  for (const word of rest)
    openFile(use, word, inPlace === undefined ? null : (literalValue(inPlace.value ?? undefined) ?? ''));
  return use;
}

/** `suffix` is that of the copy which is left of a changed file; null for a file that is only read. */
function openFile(use: ProgramUse, word: Word, suffix: string | null): void {
  if (literalValue(word) === '-') return;
  use.open(suffix === null ? 'read' : 'both', word);
  if (suffix === null || suffix === '') return;
  const path = toPath(word);
  if (path === null || word.kind === 'open' || /[*/]/.test(suffix)) use.blur('the names of its copies are not known');
  else
    use.open('write', {
      kind: 'literal',
      text: path + suffix,
      value: path + suffix,
      isHome: word.isHome,
    });
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*)`;
const range = String.raw`(?:${address}(?:\s*,\s*(?:[+~]?\d+|${address}))?\s*)?!?\s*`;
const replacement = ['/', '|', '#', ',', ':', '@', '!', '%', '_', '+']
  .map((sign) => `\\${sign}`)
  .map((sign) => String.raw`s${sign}(?:[^${sign}\\]|\\[\s\S])*${sign}(?:[^${sign}\\]|\\[\s\S])*${sign}[gpiIM0-9]*`)
  .join('|');
const transliteration = String.raw`y/(?:[^/\\]|\\[\s\S])*/(?:[^/\\]|\\[\s\S])*/`;
const command = new RegExp(
  String.raw`[\s;]*(?:${range}(?:${replacement}|${transliteration}|[aic](?:\\\n|[ \t]+\\?|\\)[^\n]*|[bt](?:[ \t]*\w+)?|[dDgGhHnNpPxz=}]|[qQl][ \t]*\d*|\{)|:[ \t]*\w+|#[^\n]*)[ \t]*(?=[;}\n]|$|\{)?`,
  'y',
);

function isPlainSedScript(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    if (/^[\s;]*$/.test(script.slice(at))) return true;
    command.lastIndex = at;
    const match = command.exec(script);
    if (match === null || match[0] === '') return false;
    at += match[0].length;
    const isSeparated = at >= script.length || /[;}\n]/.test(script[at] ?? '') || /[{}]$/.test(match[0].trimEnd());
    if (!isSeparated) return false;
  }
  return true;
}
