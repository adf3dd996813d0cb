// The vocabulary of the masks: what replaces a secret, and what a function that finds one family of them looks like.

/** What stands in place of a secret. No mask takes it for a secret, so masking twice changes nothing. */
export const masked = '[redacted]';

/**
 * Where a word begins, as the source of a pattern. In a JSON string the line above ends in the letter of its escape, which
 * is not part of the word.
 */
export const wordStart = '(?:(?<=\\\\[nrt])|(?<![\\w.-]|\\\\(?=[nrt])))';

/** Masks one family of secrets and calls `count` for each. */
export type Mask = (text: string, count: () => void) => string;
