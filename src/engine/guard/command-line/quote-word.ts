/** The word as a shell has to see it, quoted only where it would be taken for more than itself. */
export function quoteWord(value: string): string {
  return isPlain.test(value) ? value : quoteAlways(value);
}

/** Quoted whatever it holds, as a reserved word at the head of a command has to be. */
export function quoteAlways(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

const isPlain = /^[\w@%+=:,./-]+$/;
