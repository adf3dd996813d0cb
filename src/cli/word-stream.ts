// Whole words of a text that comes in pieces cut anywhere. What a word looks like depends on all of its letters, so a piece
// is shown only up to the last gap between words.

export interface WordStream {
  /** The next piece of the text. */
  text(piece: string): void;
  /** The text ends here, and with it its last word. */
  end(): void;
}

/** Nothing a person reads is longer; what is gets cut rather than held back. */
const maxWordLength = 256;

export function createWordStream(show: (text: string) => void): WordStream {
  let rest = '';
  return {
    text(piece) {
      const text = rest + piece;
      const cut = findCut(text);
      if (cut > 0) show(text.slice(0, cut));
      rest = text.slice(cut);
    },
    end() {
      if (rest !== '') show(rest);
      rest = '';
    },
  };
}

function findCut(text: string): number {
  const gap = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), text.lastIndexOf('\t')) + 1;
  if (text.length - gap <= maxWordLength) return gap;
  return isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
