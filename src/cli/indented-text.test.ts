import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIndentedText } from './indented-text.ts';

describe('createIndentedText', () => {
  it('indents every line of a passage by two and leaves empty ones empty, whatever the pieces it comes in', () => {
    fc.assert(
      fc.property(fc.array(anyPiece), (pieces) => {
        expect(write(pieces)).toBe(expectedOf(pieces.join('')));
      }),
    );
  });

  it('starts a line of its own only after the passage was ended', () => {
    let written = '';
    const out = createIndentedText((text) => {
      written += text;
    });
    out.text('one\ntw');
    out.text('o');
    out.endPassage();
    out.endPassage();
    out.line('read_file a.txt');
    out.text('three\n');
    out.endPassage();
    out.line('MET');
    expect(written).toBe('  one\n  two\nread_file a.txt\n  three\nMET\n');
  });
});

const anyPiece = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é') });

function write(pieces: readonly string[]): string {
  let written = '';
  const out = createIndentedText((text) => {
    written += text;
  });
  for (const piece of pieces) out.text(piece);
  out.endPassage();
  return written;
}

/** Each line that holds something, indented; an unfinished last one is finished. */
function expectedOf(text: string): string {
  const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return lines.at(-1) === '' ? lines.join('\n') : `${lines.join('\n')}\n`;
}
