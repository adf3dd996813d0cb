// Turns the source text of one word into the words that the shell makes of it. It reads the characters itself and trusts the
// tree for nothing but where the word begins and ends: whatever it does not know makes the word open.
import { expandBraces } from './expand-braces.ts';
import { unquoteWord, type WordCharacter } from './unquote-word.ts';
import type { Word } from './word.ts';

/** Usually one word; several where braces multiply it. */
export function readWord(text: string): Word[] {
  if (/^[\w@%+:,./-]+$/.test(text)) return [{ kind: 'literal', text, value: text, isHome: false }];
  const characters = unquoteWord(text);
  if (typeof characters === 'string') return [{ kind: 'open', text, reason: characters, head: null }];
  const words = expandBraces(characters);
  if (typeof words === 'string') return [{ kind: 'open', text, reason: words, head: null }];
  return words.map((word) => toWord(word, text));
}

function toWord(characters: readonly WordCharacter[], text: string): Word {
  const value = characters.map(({ character }) => character).join('');
  const home = findHome(characters);
  if (home === 'other') return { kind: 'open', text, reason: 'depends on a home directory', head: null };
  const pattern = findPattern(characters);
  if (pattern === -1) return { kind: 'literal', text, value, isHome: home === 'own' };
  const before = characters
    .slice(0, pattern)
    .map(({ character }) => character)
    .join('');
  const directory = before.slice(0, before.lastIndexOf('/') + 1);
  const head = directory === '' ? '.' : directory.startsWith('~') && home !== 'own' ? `./${directory}` : directory;
  const glob = characters.slice(directory.length === 0 ? 0 : countUpTo(characters, before.lastIndexOf('/') + 1));
  return { kind: 'open', text, reason: 'is a pattern for names of files', head, glob: glob.map(protect).join('') };
}

/** How many of the characters make up that much of the value: quotes leave some that are nothing. */
function countUpTo(characters: readonly WordCharacter[], length: number): number {
  let [count, taken] = [0, 0];
  while (taken < length) taken += characters[count++]?.character.length ?? 1;
  return count;
}

function protect({ character, isQuoted }: WordCharacter): string {
  return isQuoted && /[*?[\]\\]/.test(character) ? `\\${character}` : character;
}

/** `own` for `~` and `~/…`; `other` for every other tilde that the shell may replace. */
function findHome(characters: readonly WordCharacter[]): 'none' | 'own' | 'other' {
  const isPlain = (index: number, expected: string) =>
    characters[index]?.character === expected && !characters[index].isQuoted;
  let home: 'none' | 'own' = 'none';
  for (let index = 0; index < characters.length; index++) {
    if (!isPlain(index, '~')) continue;
    if (index === 0 && (characters.length === 1 || isPlain(1, '/'))) home = 'own';
    else if (index === 0 || isPlain(index - 1, '=') || isPlain(index - 1, ':')) return 'other';
  }
  return home;
}

/** Where a pattern for names of files begins; -1 where there is none. */
function findPattern(characters: readonly WordCharacter[]): number {
  const lastClose = characters.findLastIndex(({ character, isQuoted }) => character === ']' && !isQuoted);
  return characters.findIndex(({ character, isQuoted }, index) => {
    if (isQuoted) return false;
    return character === '*' || character === '?' || (character === '[' && index < lastClose);
  });
}
