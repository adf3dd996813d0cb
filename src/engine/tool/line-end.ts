// Line ends as they stand in a file. Text is compared with every CRLF read as one LF; a place in that view is carried back
// to the place in the file it came from.

/** A text with its CRLF read as LF, and the way back. */
export interface PlainLines {
  readonly text: string;
  /** The place in the original that stands at `place` of the plain text; before a CRLF it is before both characters. */
  toOriginal(place: number): number;
}

export function toPlainLines(original: string): PlainLines {
  if (!original.includes('\r\n')) return { text: original, toOriginal: (place) => place };
  const pairs: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
    pairs.push(at - pairs.length);
  return {
    text: original.replaceAll('\r\n', '\n'),
    toOriginal: (place) => place + countBelow(pairs, place),
  };
}

/** The line ends of `text` in order. */
export function listLineEnds(text: string): string[] {
  return text.match(/\r?\n/g) ?? [];
}

/** How many line ends `text` holds. A file may be nothing but line ends, so they are counted and not collected. */
export function countLineEnds(text: string, form: '\n' | '\r\n' = '\n'): number {
  let ends = 0;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) ends++;
  return ends;
}

/** The number of lines, where a last line end begins no further line. */
export function countLines(text: string): number {
  return countLineEnds(text) + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** How many of the ascending `numbers` are less than `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
