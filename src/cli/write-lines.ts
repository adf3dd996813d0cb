/** Writes lines to standard output, in one piece. */
export const writeLines = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
