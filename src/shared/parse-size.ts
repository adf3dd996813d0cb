// Sizes as people write them: a number of bytes, or one with a unit of a thousand (`MB`) or of 1024 (`MiB`).

/** A number of bytes; null: it is none. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)\s*(?:([kmgt])(i?))?b?$/i.exec(text.trim());
  if (match === null) return null;
  const [, number, prefix = '', binary = ''] = match;
  const power = ['', 'k', 'm', 'g', 't'].indexOf(prefix.toLowerCase());
  return Math.round(Number(number) * (binary === '' ? 1000 : 1024) ** power);
}
