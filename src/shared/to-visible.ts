// Text as people may be shown it: what acts on a terminal, cannot be seen or passes for something else stands there as its
// escape, `\u{202e}`. Only for showing: what is stored, hashed and sent stays as it is. Plain ASCII is never changed.

export interface VisibleOptions {
  /** Line ends and tabs stay; without it they are escaped too, so that the text cannot pass for lines of anybody else. */
  readonly multiline?: boolean;
}

/** `text` with every character escaped that a reader would not see, or would take for another. */
export function toVisible(text: string, { multiline = false }: VisibleOptions = {}): string {
  if (isPlain.test(text)) return multiline ? text : text.replace(/[\n\t]/g, toEscape);
  // In one line a whole word may pass for a Latin one beside it; in prose it is a word of its own language.
  const isNamed = !multiline && latin.test(text);
  const told = text.replace(token, (part) => toUnmixed(part, isNamed)).replace(unseen, toEscape);
  return multiline ? told : told.replace(/[\n\t]/g, toEscape);
}

const isPlain = /^[\x20-\x7e\n\t]*$/;

const toEscape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

const unseen = new RegExp(
  [
    // What controls and directs, private use, halves of pairs, what no standard has assigned, separators of lines.
    /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u,
    // Spaces other than the one, and a letter of Braille that is blank.
    /(?! )\p{Zs}|\u2800/u,
    // What is not drawn: joiners, fillers, selectors of variants, tags.
    /\p{Default_Ignorable_Code_Point}/u,
    // What is drawn over something else: strokes, frames, and marks on no letter or on top of many others.
    /[\u0334-\u0338\p{Me}]|(?<!\p{L}\p{M}{0,3})\p{M}/u,
    // What is another character but for its face: letters of formulas, Roman numerals, ligatures, odd letters of phonetics,
    // and what passes for a semicolon, a mark, a hyphen, a dot, a slash, a backslash or a colon.
    /[\u2160-\u217f\u{1d400}-\u{1d7ff}\ufb00-\ufb06\u017f\u01c0-\u01c3\u0251\u0261\u2113\u212a]/u,
    /[\u037e\u1fef\u2010\u2011\u2024\u2044\u2215\u2216\u2236\u29f8\u29f9\ua789]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

const token = /[^ \n\t]+/g;
const word = /[\p{L}\p{M}\p{N}_]+/gu;
const latin = /\p{Script=Latin}/u;

/**
 * Where Latin letters stand, letters of other alphabets that could pass for some are escaped. `isNamed`: so are words of
 * nothing else, unless they have but one letter, as words of many languages do.
 */
function toUnmixed(text: string, isNamed: boolean): string {
  if (isPlain.test(text)) return text;
  const isMixed = latin.test(text);
  return text.replace(word, (letters) => {
    const passes = isLookAlike.test(letters) && (isMixed || (isNamed && letters.length > 1));
    return passes || latin.test(letters) ? letters.replace(foreign, toEscape) : letters;
  });
}

/** Letters and digits but for those of scripts that are ordinarily written up against Latin words. */
const foreign = new RegExp(
  `(?![${['Latin', 'Common', 'Inherited', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer']
    .map((script) => `\\p{Script=${script}}`)
    .join('')}])[\\p{L}\\p{N}]`,
  'gu',
);

/** A whole word of letters that are drawn like Latin ones, as in the name of a host or a program. */
const isLookAlike =
  /^[асԁеһіјӏорԛѕԝхуүАВСЕНІЈКМОРЅТХУҮԚԜӀονΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհցզ\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{M}\p{N}_]+$/u;
