// Adds a last member to a list or object of a JSON text with comments, by inserting alone: every byte that stands there now
// stands there afterwards, in the same order. The formatter of the JSON library would lay out the whole line anew.
import type { Node } from 'jsonc-parser';

/** How a text is laid out. */
export interface TextLayout {
  readonly lineEnd: '\n' | '\r\n';
  /** One level of indentation. */
  readonly unit: string;
}

/** `text` with `lines` behind the members of `container`, indented as its neighbours are. */
export function insertLast(text: string, container: Node, lines: readonly string[], layout: TextLayout): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const end = last === undefined ? container.offset + 1 : last.offset + last.length;
  const comma = findComma(text, end);
  const place = findPlace(text, comma ?? end);
  const isOneLine = !/[\n\r]/.test(last === undefined ? text : text.slice(container.offset, close));
  const head = `${text.slice(0, end)}${last === undefined || comma !== null ? '' : ','}${text.slice(end, place)}`;
  if (isOneLine)
    return `${head}${last === undefined ? '' : ' '}${lines.map((line) => line.trim()).join(' ')}${text.slice(place)}`;
  const outer = readIndent(text, container.offset);
  const inner = last === undefined ? outer + layout.unit : readIndent(text, last.offset);
  const added = lines.map((line) => `${layout.lineEnd}${inner}${line}`).join('');
  const closesHere = /^[ \t]*$/.test(text.slice(place, close));
  return `${head}${added}${closesHere ? `${layout.lineEnd}${outer}` : ''}${text.slice(place)}`;
}

/** The place behind a comma that follows the last member, on whichever line; null when there is none. */
function findComma(text: string, end: number): number | null {
  let at = end;
  for (let piece = readTrivia(text, at); piece !== ''; piece = readTrivia(text, at)) at += piece.length;
  return text[at] === ',' ? at + 1 : null;
}

/** Behind the comments on the rest of the line: they belong to what stands before them. */
function findPlace(text: string, start: number): number {
  let place = start;
  let at = start;
  for (let piece = readTrivia(text, at); piece !== '' && !/^[\n\r]/.test(piece); piece = readTrivia(text, at)) {
    at += piece.length;
    if (piece.startsWith('/')) place = at;
  }
  return place;
}

/** The blanks, the line end or the comment that begins at `at`; empty where something else does. */
function readTrivia(text: string, at: number): string {
  trivia.lastIndex = at;
  return trivia.exec(text)?.[0] ?? '';
}

const trivia = /[ \t]+|[\n\r]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//y;

/** The blanks at the head of the line on which `offset` stands. */
function readIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
