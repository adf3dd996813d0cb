// One word of a command as far as the text tells it. A word is literal when the shell will hand exactly this value over;
// otherwise it is open, and whatever depends on it is at best asked about.
import { quoteWord } from './quote-word.ts';

export type Word = LiteralWord | OpenWord;

export interface LiteralWord {
  readonly kind: 'literal';
  /** As it stands in the source. */
  readonly text: string;
  readonly value: string;
  /** The value begins with a `~/` that the shell turns into a home directory. */
  readonly isHome: boolean;
}

export interface OpenWord {
  readonly kind: 'open';
  readonly text: string;
  /** Why it is not known: what can be said of it after `the word`. */
  readonly reason: string;
  /** The directory below which a file pattern looks, as written; null for words that are no such pattern. */
  readonly head: string | null;
  /** The pattern itself, from there on; a backslash stands before what quotes keep from being one. */
  readonly glob?: string;
}

/** A word that no shell will look at any more. */
export function toLiteralWord(value: string): LiteralWord {
  return { kind: 'literal', text: quoteWord(value), value, isHome: false };
}

export function toOpenWord(text: string, reason: string): OpenWord {
  return { kind: 'open', text, reason, head: null };
}

/** The path that a word names, or the directory that a file pattern looks into; null where nothing is known of it. */
export function toPath(word: Word): string | null {
  if (word.kind === 'open') return word.head;
  return word.value.startsWith('~') && !word.isHome ? `./${word.value}` : word.value;
}

/** The value of a literal word that means the same wherever it runs; null for every other. */
export function literalValue(word: Word | undefined): string | null {
  return word?.kind === 'literal' && !word.isHome ? word.value : null;
}

/** Words as one line: literal ones in one spelling however they were quoted, open ones as they stand. */
export function toWordsText(words: readonly Word[]): string {
  return words.map((word) => (word.kind === 'open' || word.isHome ? word.text : quoteWord(word.value))).join(' ');
}
