// A hint for a passage that was not found: where it would stand if only spaces, tabs and empty lines were different. It is
// shown, never edited: a fuzzy match that binds to the wrong place reports success.

export interface SimilarLines {
  readonly line: number;
  readonly text: string;
}

const maxShownLines = 20;
/** A hint is not worth more work than this. */
const maxWantedLines = 200;
const maxTextCharacters = 2_000_000;

/** The first passage of `text` that equals `wanted` after its white space is levelled, or null. */
export function findSimilarLines(text: string, wanted: string): SimilarLines | null {
  if (text.length > maxTextCharacters) return null;
  const lines = toLines(text);
  const wantedLines = toLines(wanted).filter(({ level }) => level !== '');
  const filled = lines.filter(({ level }) => level !== '');
  if (wantedLines.length === 0 || wantedLines.length > maxWantedLines) return null;
  const start = filled.findIndex((_, at) =>
    wantedLines.every(({ level }, offset) => filled[at + offset]?.level === level),
  );
  const [first, last] = [filled[start], filled[start + wantedLines.length - 1]];
  if (first === undefined || last === undefined) return null;
  const shown = lines.slice(first.number - 1, Math.min(last.number, first.number - 1 + maxShownLines));
  return { line: first.number, text: shown.map(({ raw }) => raw).join('\n') };
}

function toLines(text: string) {
  return text.split(/\r?\n/).map((raw, at) => ({ number: at + 1, raw, level: raw.trim().replace(/\s+/g, ' ') }));
}
