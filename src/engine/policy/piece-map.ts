// Entries under literal pieces of text. A piece is cut out of a longer text only if some key is as long, as most are not.
export class PieceMap<Entry> {
  readonly #entries = new Map<string, Entry[]>();
  readonly #hasLength: boolean[] = [];

  add(piece: string, entry: Entry): void {
    const entries = this.#entries.get(piece);
    if (entries !== undefined) entries.push(entry);
    else this.#entries.set(piece, [entry]);
    this.#hasLength[piece.length] = true;
  }

  /** The entries under `text` between two places, in the order in which they were added. */
  get(text: string, start: number, end: number): readonly Entry[] | undefined {
    return this.#hasLength[end - start] === true ? this.#entries.get(text.slice(start, end)) : undefined;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }
}
