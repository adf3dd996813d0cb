/** A text as a profile holds it between quotes: only these characters mean anything there, all others stand for themselves. */
export function quoteText(text: string): string {
  return `"${text.replace(/["\\\n\r]/g, (character) => escapes[character] ?? character)}"`;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
