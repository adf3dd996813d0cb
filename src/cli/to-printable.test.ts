import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPrintable, toPrintableLine } from './to-printable.ts';

describe('toPrintable', () => {
  it.each([
    ['plain words stay', 'plain äöü 漢字 🎉', 'plain äöü 漢字 🎉'],
    ['line ends and tabs stay', 'a\n\tb', 'a\n\tb'],
    ['a line end of Windows becomes one of ours', 'a\r\nb', 'a\nb'],
    ['a lone return would overwrite the line', 'safe\revil', 'safe\\u{000d}evil'],
    ['an escape sequence would colour or clear', '\u001b[2J', '\\u{001b}[2J'],
    ['a one-byte sequence starter does the same', '\u009b31m', '\\u{009b}31m'],
    ['a bell, a backspace, a null', '\u0007\b\0', '\\u{0007}\\u{0008}\\u{0000}'],
    ['a delete', '\u007f', '\\u{007f}'],
    ['an override turns the text round', 'a\u202eb\u202c', 'a\\u{202e}b\\u{202c}'],
    ['an isolate does too', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a mark of direction', '\u200fa', '\\u{200f}a'],
    ['a zero-width space and joiner hide a difference', 'a\u200bb\u200dc', 'a\\u{200b}b\\u{200d}c'],
    ['a byte order mark inside a text', 'a\ufeffb', 'a\\u{feff}b'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{00ad}b'],
    ['separators that some terminals break lines at', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['invisible tags carry hidden words', 'a\u{e0041}', 'a\\u{e0041}'],
  ])('%s', (_why, text, expected) => {
    expect(toPrintable(text)).toBe(expected);
  });

  it('lets nothing through that acts on a terminal or cannot be seen, and changes nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = toPrintable(text);
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u);
        if (!/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)) expect(shown).toBe(text);
      }),
    );
  });
});

describe('toPrintableLine', () => {
  it('stays on its line, so that a file name cannot write a verdict of its own', () => {
    expect(toPrintableLine('a.txt\n\nMET  all is well\r\n')).toBe('a.txt\\u{000a}\\u{000a}MET  all is well\\u{000a}');
  });
});
