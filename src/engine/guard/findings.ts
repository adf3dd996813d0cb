// What a search has found, up to a limit, and whether there is more: the search ends with the first finding too many.
import type { Search } from './guard.ts';
import { type RipgrepOptions, runRipgrep } from './run-ripgrep.ts';

export class Findings<Item> {
  readonly #items: Item[] = [];
  readonly #limit: number;
  #more = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(item: Item): void {
    if (this.#items.length < this.#limit) this.#items.push(item);
    else this.#more = true;
  }

  /** Runs the search, whose output `read` turns into findings. */
  async collect(run: Omit<RipgrepOptions, 'onOutput'>, read: (chunk: Buffer) => void): Promise<Search<Item>> {
    const onOutput = (chunk: Buffer) => {
      read(chunk);
      return this.#more ? 'enough' : 'more';
    };
    const end = await runRipgrep({ ...run, onOutput });
    return end.kind === 'failed' ? end : { kind: 'found', items: this.#items, more: this.#more };
  }
}
