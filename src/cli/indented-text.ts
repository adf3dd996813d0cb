// Streamed text between lines of our own: a passage stands indented under its step, so that no line of it can pass for one
// of ours.

export interface IndentedText {
  /** The next piece of the passage, wherever it was cut. */
  text(piece: string): void;
  /** Ends the passage, and its last line. */
  endPassage(): void;
  /** A line of our own. */
  line(line: string): void;
}

export function createIndentedText(write: (text: string) => void): IndentedText {
  let column: 'start' | 'inside' = 'start';
  return {
    text(piece) {
      for (const [index, part] of piece.split('\n').entries()) {
        if (index > 0) {
          write('\n');
          column = 'start';
        }
        if (part === '') continue;
        write(column === 'start' ? `  ${part}` : part);
        column = 'inside';
      }
    },
    endPassage() {
      if (column === 'inside') write('\n');
      column = 'start';
    },
    line: (line) => write(`${line}\n`),
  };
}
