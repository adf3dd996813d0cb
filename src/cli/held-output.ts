// Output that can be held up while a person is asked something, so that nothing is written into the question. What comes
// meanwhile follows afterwards; of more than a screenful or two only the beginning is kept, since the journal has it all.

export interface HeldOutput {
  write(text: string): void;
  hold(): void;
  /** Writes what was held up. Does nothing when nothing is. */
  release(): void;
}

const maxHeldCharacters = 64 * 1024;

export function createHeldOutput(write: (text: string) => void): HeldOutput {
  let held: string | null = null;
  let lostCharacters = 0;
  return {
    write(text) {
      if (held === null) write(text);
      else if (held.length + text.length <= maxHeldCharacters) held += text;
      else lostCharacters += text.length;
    },
    hold() {
      held ??= '';
    },
    release() {
      if (held === null) return;
      const lost = lostCharacters === 0 ? '' : `\n(${lostCharacters} characters were not shown; the trace has them)\n`;
      const text = held + lost;
      held = null;
      lostCharacters = 0;
      if (text !== '') write(text);
    },
  };
}
