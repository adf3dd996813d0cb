/** Characters that move the cursor, change colours, turn the direction of text, or cannot be seen. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text of a model, a tool or a file as it may go to a terminal: what would act on it is shown as an escape instead. */
export function toPrintable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (character) => (character === '\n' || character === '\t' ? character : toEscape(character)));
}

/** The same on one line: a text that brings line ends of its own cannot pass for lines of ours. */
export const toPrintableLine = (text: string): string => toPrintable(text).replaceAll('\n', toEscape('\n'));

const toEscape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
