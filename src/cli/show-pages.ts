// A text on a terminal, a screenful at a time. It is shown to its end or counts as not shown: a yes may only come after it.
import type { Terminal, Typed } from './terminal.ts';

export type PagesEnd =
  | { readonly kind: 'shown' }
  /** The person has seen enough to say no, or not to say anything now. */
  | { readonly kind: 'stopped'; readonly wish: 'deny' | 'defer' }
  | Exclude<Typed, { kind: 'line' }>;

export interface PagesOptions {
  /** Takes the question back. */
  readonly signal: AbortSignal;
  /** What may be said before the end was shown. */
  readonly stops: 'deny-or-defer' | 'defer';
}

/** Shows all of `lines` with a question after each page but the last. */
export async function showPages(
  terminal: Terminal,
  lines: readonly string[],
  options: PagesOptions,
): Promise<PagesEnd> {
  const words = options.stops === 'defer' ? 'd defers' : 'n denies, d defers';
  for (let from = 0; ; ) {
    const to = findPageEnd(terminal, lines, from);
    terminal.write(
      lines
        .slice(from, to)
        .map((line) => `${line}\n`)
        .join(''),
    );
    if (to >= lines.length) return { kind: 'shown' };
    const next = await askForMore(
      terminal,
      `-- line ${to} of ${lines.length}: Enter shows more, ${words} -- `,
      options,
    );
    if (next !== null) return next;
    from = to;
  }
}

/** Null: more. */
async function askForMore(
  terminal: Terminal,
  prompt: string,
  { signal, stops }: PagesOptions,
): Promise<PagesEnd | null> {
  for (;;) {
    const typed = await terminal.question(prompt, signal);
    if (typed.kind !== 'line') return typed;
    switch (typed.text.trim().toLowerCase()) {
      case '':
        return null;
      case 'n':
        if (stops === 'deny-or-defer') return { kind: 'stopped', wish: 'deny' };
        break;
      case 'd':
        return { kind: 'stopped', wish: 'defer' };
    }
    terminal.write('The end has not been shown yet.\n');
  }
}

/** As many lines as the screen holds beside the question; at least one. */
function findPageEnd(terminal: Terminal, lines: readonly string[], from: number): number {
  let rowsLeft = terminal.rows - 1;
  let to = from;
  for (let line = lines[to]; line !== undefined; line = lines[to]) {
    rowsLeft -= toHeight(line, terminal.columns);
    if (rowsLeft < 0 && to > from) break;
    to += 1;
  }
  return to;
}

/** Rows that a line takes at most: a letter beyond ASCII may be two columns wide, a tab eight. */
function toHeight(line: string, columns: number): number {
  let width = 0;
  for (const character of line) width += character === '\t' ? 8 : character > '~' ? 2 : 1;
  return Math.max(1, Math.ceil(width / Math.max(columns, 1)));
}
