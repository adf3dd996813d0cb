// Brace expansion of the simple kind: `{a,b}` without another brace inside. A brace that multiplies nothing stays as it is,
// every other form makes the word open.
import type { WordCharacter } from './unquote-word.ts';

const maxWords = 64;

/** The words that braces make of one, or the reason why that is not known. */
export function expandBraces(characters: readonly WordCharacter[]): readonly (readonly WordCharacter[])[] | string {
  let words: WordCharacter[][] = [[]];
  let at = 0;
  const last = characters.findLastIndex((_current, index) => multiplies(characters, index));
  while (at < characters.length) {
    const group = isPlain(characters[at], '{') ? findGroup(characters, at, last) : null;
    if (group === 'unknown') return 'is written with braces';
    if (group === null) {
      for (const word of words) word.push(...characters.slice(at, at + 1));
      at++;
      continue;
    }
    words = words.flatMap((word) => group.choices.map((choice) => [...word, ...choice]));
    if (words.length > maxWords) return 'has braces that make too many words of it';
    at = group.end;
  }
  if (words.length === 1) return words;
  // Braces come first: a `$` at the end of a choice stands before what follows the brace, and a word of nothing is dropped.
  if (characters.some((current) => isPlain(current, '$'))) return 'has a value that is known only when it runs';
  return words.some((word) => word.length === 0) ? 'has braces that make a word of nothing' : words;
}

interface Group {
  readonly choices: readonly (readonly WordCharacter[])[];
  readonly end: number;
}

/** The group that a brace opens; null when it multiplies nothing. `last` is the last character that could make it do so. */
function findGroup(characters: readonly WordCharacter[], open: number, last: number): Group | 'unknown' | null {
  const choices: WordCharacter[][] = [[]];
  for (let at = open + 1; at < characters.length; at++) {
    const current = characters[at];
    if (current === undefined || isPlain(current, '{')) return open < last ? 'unknown' : null;
    if (isPlain(current, '}')) {
      if (choices.length > 1) return { choices, end: at + 1 };
      return open < last ? 'unknown' : null;
    }
    if (isPlain(current, ',')) choices.push([]);
    else choices.at(-1)?.push(current);
  }
  return open < last ? 'unknown' : null;
}

/** A comma, or the first of two dots, which make a brace more than a character. */
function multiplies(characters: readonly WordCharacter[], index: number): boolean {
  const current = characters[index];
  return isPlain(current, ',') || (isPlain(current, '.') && isPlain(characters[index + 1], '.'));
}

function isPlain(current: WordCharacter | undefined, expected: string): boolean {
  return current?.character === expected && !current.isQuoted;
}
