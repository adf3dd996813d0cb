// Finds the first of many globs that takes in a text without trying them all. Literals, `dir/*`, `*.ext` and patterns that
// name a whole directory are looked up by the pieces of the text; only what is left is tried one after the other. What
// comes out is what a plain loop over `matchGlob` would have found.
import { matchGlob } from './match-pattern.ts';
import { PieceMap } from './piece-map.ts';

/** Whatever a pattern stands for, with its place among all the others. */
export interface Ordered {
  readonly order: number;
}

interface Wild<Entry> {
  readonly pattern: string;
  readonly entry: Entry;
}

export class PatternIndex<Entry extends Ordered> {
  readonly #literals = new PieceMap<Entry>();
  readonly #prefixes = new PieceMap<Entry>();
  readonly #suffixes = new PieceMap<Entry>();
  /** Under one directory that every text they take in has in it, between two slashes. */
  readonly #withDirectory = new PieceMap<Wild<Entry>>();
  readonly #others: Wild<Entry>[] = [];

  /** Entries are added in their order. */
  add(pattern: string, entry: Entry): void {
    const directory = findDirectory(pattern);
    if (!/[*?]/.test(pattern)) this.#literals.add(pattern, entry);
    else if (/^[^*?]*[/ ]\*$/.test(pattern)) this.#prefixes.add(pattern.slice(0, -1), entry);
    else if (/^\*[/.][^*?]*$/.test(pattern)) this.#suffixes.add(pattern.slice(1), entry);
    else if (directory !== null) this.#withDirectory.add(directory, { pattern, entry });
    else this.#others.push({ pattern, entry });
  }

  /** The first entry, before `limit` if that is given, whose pattern takes in `text` and that is accepted. */
  findFirst(text: string, accepts: (entry: Entry) => boolean, limit?: Entry): Entry | undefined {
    let first = firstOf(this.#literals.get(text, 0, text.length), accepts, limit);
    if (!this.#prefixes.isEmpty || !this.#suffixes.isEmpty || !this.#withDirectory.isEmpty)
      first = this.#findByPieces(text, accepts, first);
    return firstOfWild(this.#others, text, accepts, first);
  }

  /** The first accepted entry whose pattern is `text` itself, without a wildcard. */
  findLiteral(text: string, accepts: (entry: Entry) => boolean): Entry | undefined {
    return firstOf(this.#literals.get(text, 0, text.length), accepts, undefined);
  }

  #findByPieces(text: string, accepts: (entry: Entry) => boolean, limit: Entry | undefined): Entry | undefined {
    let first = limit;
    let slash = -1;
    for (let place = 0; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (code !== slashCode && code !== dotCode && code !== spaceCode) continue;
      if (code !== dotCode) first = firstOf(this.#prefixes.get(text, 0, place + 1), accepts, first);
      if (code !== spaceCode) first = firstOf(this.#suffixes.get(text, place, text.length), accepts, first);
      if (code !== slashCode) continue;
      if (slash !== -1) first = firstOfWild(this.#withDirectory.get(text, slash, place + 1), text, accepts, first);
      slash = place;
    }
    return first;
  }
}

const slashCode = 47;
const dotCode = 46;
const spaceCode = 32;

/** The longest directory that the pattern names in full, with the slashes around it. */
function findDirectory(pattern: string): string | null {
  const directories = [...pattern.matchAll(/(?<=\/)[^/*?]+(?=\/)/g)].map(([name]) => `/${name}/`);
  return directories.toSorted((left, right) => right.length - left.length)[0] ?? null;
}

function firstOf<Entry extends Ordered>(
  entries: readonly Entry[] | undefined,
  accepts: (entry: Entry) => boolean,
  limit: Entry | undefined,
): Entry | undefined {
  if (entries === undefined) return limit;
  for (const entry of entries) {
    if (limit !== undefined && entry.order >= limit.order) return limit;
    if (accepts(entry)) return entry;
  }
  return limit;
}

function firstOfWild<Entry extends Ordered>(
  wild: readonly Wild<Entry>[] | undefined,
  text: string,
  accepts: (entry: Entry) => boolean,
  limit: Entry | undefined,
): Entry | undefined {
  if (wild === undefined) return limit;
  for (const { pattern, entry } of wild) {
    if (limit !== undefined && entry.order >= limit.order) return limit;
    if (matchGlob(pattern, text) && accepts(entry)) return entry;
  }
  return limit;
}
