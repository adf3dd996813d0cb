// Takes the quotes off one word and keeps which characters they protected. A word in which anything is expanded, or which is
// written in a way that is not known here, is not literal.
import { decodeAnsiString } from './decode-ansi-string.ts';

/** One character of a word, with whether quotes take its special meaning away. */
export interface WordCharacter {
  readonly character: string;
  readonly isQuoted: boolean;
}

/** The characters of the word, or why they are not known: what can be said of it after `the word`. */
export function unquoteWord(text: string): WordCharacter[] | string {
  // A line that goes on in the next one leaves nothing: no word where that is all, and a comment where one begins after it.
  if (/^(?:\\\n)*#|^(?:\\\n)+$/.test(text)) return unreadable;
  const characters: WordCharacter[] = [];
  let at = 0;
  while (at < text.length) {
    const piece = readPiece(text, at);
    if (typeof piece === 'string') return piece;
    // Quotes leave something even around nothing: `""` is a word, and `~""/x` does not begin with a home.
    if (piece.isQuoted) characters.push({ character: '', isQuoted: true });
    for (const character of piece.value) characters.push({ character, isQuoted: piece.isQuoted });
    at = piece.end;
  }
  return characters;
}

interface Piece {
  readonly value: string;
  readonly isQuoted: boolean;
  readonly end: number;
}

const unreadable = 'is not written as a plain word';
const expanded = 'has a value that is known only when it runs';

function readPiece(text: string, at: number): Piece | string {
  const character = text[at] ?? '';
  switch (character) {
    case '\\':
      return readEscaped(text, at);
    case "'":
      return readSingleQuotes(text, at);
    case '"':
      return readDoubleQuotes(text, at + 1);
    case '$':
      if (text[at + 1] === "'") return toPiece(decodeAnsiString(text, at + 2));
      if (text[at + 1] === '"' || startsExpansion(text, at + 1)) return expanded;
      return { value: '$', isQuoted: false, end: at + 1 };
    case '`':
      return expanded;
    default:
      if (' \t\n;&|<>()'.includes(character)) return /^[<>]\(/.test(text) ? 'is another command as a file' : unreadable;
      return { value: character, isQuoted: false, end: at + 1 };
  }
}

/** A line that goes on in the next one leaves nothing at all. */
function readEscaped(text: string, at: number): Piece | string {
  const next = text[at + 1];
  if (next === undefined) return unreadable;
  if (next === '\n') return { value: '', isQuoted: false, end: at + 2 };
  const value = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return { value, isQuoted: true, end: at + 1 + value.length };
}

function readSingleQuotes(text: string, at: number): Piece | string {
  const end = text.indexOf("'", at + 1);
  return end === -1 ? unreadable : { value: text.slice(at + 1, end), isQuoted: true, end: end + 1 };
}

function readDoubleQuotes(text: string, start: number): Piece | string {
  let value = '';
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (character === '"') return { value, isQuoted: true, end: at + 1 };
    if (character === '`' || (character === '$' && startsExpansion(text, at + 1))) return expanded;
    if (character === '\\' && next !== '' && '$`"\\\n'.includes(next)) {
      if (next !== '\n') value += next;
      at += 2;
    } else {
      value += character;
      at++;
    }
  }
  return unreadable;
}

function toPiece(decoded: { value: string; end: number } | null): Piece | string {
  return decoded === null ? unreadable : { ...decoded, isQuoted: true };
}

/** A `$` before any other character is only a character; what it is before in the next line is not looked for. */
function startsExpansion(text: string, at: number): boolean {
  return /^(?:[\w@*#?$!({[-]|\\\n)/.test(text.slice(at, at + 2));
}
