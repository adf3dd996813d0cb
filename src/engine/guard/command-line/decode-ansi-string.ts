// The escapes of `$'…'`. Those that make bytes which are no character of their own, or end the string early, are not decoded:
// the word is open then.

const single: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

/** The value from `start`, which is just after the opening quote, and where the text goes on; null when it is not known. */
export function decodeAnsiString(text: string, start: number): { value: string; end: number } | null {
  let value = '';
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === "'") return { value, end: at + 1 };
    if (character !== '\\') {
      value += character;
      at++;
      continue;
    }
    const decoded = readEscape(text, at + 1);
    if (decoded === null) return null;
    value += decoded.value;
    at = decoded.end;
  }
  return null;
}

function readEscape(text: string, at: number): { value: string; end: number } | null {
  const letter = text[at] ?? '';
  const plain = single[letter];
  if (plain !== undefined) return { value: plain, end: at + 1 };
  const number = /(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/y;
  number.lastIndex = at;
  const match = number.exec(text);
  if (match === null) return null;
  const [digits, hex, short, long, octal] = match;
  const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
  // A byte above ASCII is a part of a character, and what a code point becomes depends on the locale.
  if (code === 0 || code > 0x7f) return null;
  return { value: String.fromCharCode(code), end: at + digits.length };
}
