// Replaces one passage of a text, or nothing: the passage must stand there exactly once, alike but for line ends. Only the
// characters that differ between old and new are exchanged, so every line end around them stays what it was.
import { countLineEnds, listLineEnds, toPlainLines } from './line-end.ts';

export type TextEdit =
  | { readonly kind: 'edited'; readonly text: string; readonly line: number }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }
  /** The lines of its places, of which no more than `maxPlaces` are looked for. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] };

export const maxPlaces = 20;

/** `wanted` must not be empty. Overlapping places count: in `aaa`, `aa` stands twice. */
export function editText(original: string, wanted: string, replacement: string): TextEdit {
  const plain = toPlainLines(original);
  const before = wanted.replaceAll('\r\n', '\n');
  const after = replacement.replaceAll('\r\n', '\n');
  if (before === after) return { kind: 'unchanged' };
  const places = findPlaces(plain.text, before);
  const [place] = places;
  if (place === undefined) return { kind: 'absent' };
  if (places.length > 1) return { kind: 'ambiguous', lines: places.map((each) => toLine(plain.text, each)) };
  const { head, tail } = findCommonEnds(before, after);
  const start = plain.toOriginal(place + head);
  const end = plain.toOriginal(place + before.length - tail);
  const inserted = toLineEndsOf(original, { start, end }, after.slice(head, after.length - tail));
  const text = original.slice(0, start) + inserted + original.slice(end);
  return { kind: 'edited', text, line: toLine(plain.text, place) };
}

function findPlaces(text: string, wanted: string): number[] {
  const places: number[] = [];
  let at = text.indexOf(wanted);
  while (at !== -1 && places.length < maxPlaces) {
    places.push(at);
    at = text.indexOf(wanted, at + 1);
  }
  return places;
}

function toLine(text: string, place: number): number {
  return countLineEnds(text.slice(0, place)) + 1;
}

/** The lengths of what both texts begin and end with, without overlap. */
function findCommonEnds(left: string, right: string): { head: number; tail: number } {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  return { head, tail };
}

/** Each new line end takes the form of the one it replaces; those beyond take the form of their neighbour. */
function toLineEndsOf(original: string, range: { start: number; end: number }, inserted: string): string {
  const replaced = listLineEnds(original.slice(range.start, range.end));
  const neighbour = replaced.at(-1) ?? findLineEndNear(original, range.start);
  let at = 0;
  return inserted.replaceAll('\n', () => replaced[at++] ?? neighbour);
}

/** The end of the line at `place`, or of the line before when it is the last. */
function findLineEndNear(text: string, place: number): string {
  const next = text.indexOf('\n', place);
  const end = next === -1 ? text.lastIndexOf('\n', place) : next;
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
}
