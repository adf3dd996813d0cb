import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWordStream } from './word-stream.ts';

describe('createWordStream', () => {
  it('shows every character once and in order, and never part of a word, wherever the text was cut', () => {
    const anyPiece = fc.string({ unit: fc.constantFrom('a', 'б', ' ', '\n', '\t', '🎉') });
    fc.assert(
      fc.property(fc.array(anyPiece), (pieces) => {
        const { shown, stream } = open();
        for (const piece of pieces) stream.text(piece);
        stream.end();
        expect(shown.join('')).toBe(pieces.join(''));
        for (const text of shown.slice(0, -1)) expect(text).toMatch(/[ \n\t]$/);
      }),
    );
  });

  it('holds no more back than a long word, and cuts no character in two', () => {
    const { shown, stream } = open();
    stream.text('a'.repeat(256));
    expect(shown).toEqual([]);
    stream.text('🎉'.charAt(0));
    stream.text('🎉'.charAt(1));
    stream.end();
    expect(shown).toEqual(['a'.repeat(256), '🎉']);
  });
});

function open() {
  const shown: string[] = [];
  return { shown, stream: createWordStream((text) => void shown.push(text)) };
}
