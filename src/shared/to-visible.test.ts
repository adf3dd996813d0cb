import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toVisible } from './to-visible.ts';

const anyText = fc.string({ unit: 'binary' });
const anyPlainText = fc.stringMatching(/^[\x20-\x7e]*$/);

describe('toVisible', () => {
  it.each([
    ['plain words stay', 'plain äöü Ελληνικά русский 漢字 かな 한글 ไทย 🎉', null],
    ['a letter with its mark beside it stays', 'cafe\u0301 नमस्ते', null],
    ['what no terminal acts on stays', '$(rm -rf ~) \\u{202e} %s "€"', null],
    ['a line end would be a line of somebody else', 'a.txt\nMET  all is well', 'a.txt\\u{a}MET  all is well'],
    ['a tab', 'a\tb', 'a\\u{9}b'],
    ['a return would overwrite the line', 'safe\revil', 'safe\\u{d}evil'],
    ['an escape sequence would colour or clear', '\u001b[2J', '\\u{1b}[2J'],
    ['a link would hide where it leads', '\u001b]8;;http://a\u0007b', '\\u{1b}]8;;http://a\\u{7}b'],
    ['a one-byte sequence starter does the same', '\u009b31m', '\\u{9b}31m'],
    ['a backspace, a null, a delete', '\b\0\u007f', '\\u{8}\\u{0}\\u{7f}'],
    ['an override turns the text round', 'a\u202eb\u202c', 'a\\u{202e}b\\u{202c}'],
    ['an isolate does too', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a mark of direction', '\u200fa\u061c', '\\u{200f}a\\u{61c}'],
    ['a zero-width space and joiner hide a difference', 'a\u200bb\u200dc', 'a\\u{200b}b\\u{200d}c'],
    ['a word joiner and a byte order mark', 'a\u2060b\ufeffc', 'a\\u{2060}b\\u{feff}c'],
    ['a soft hyphen and a grapheme joiner', 'a\u00adb\u034fc', 'a\\u{ad}b\\u{34f}c'],
    ['fillers are letters without a face', 'a\u3164\u115f\uffa0', 'a\\u{3164}\\u{115f}\\u{ffa0}'],
    ['selectors of variants can carry bytes', '😀\ufe0f\u{e0100}', '😀\\u{fe0f}\\u{e0100}'],
    ['invisible tags carry hidden words', 'a\u{e0041}', 'a\\u{e0041}'],
    ['private use is drawn in any way', '\ue000\u{f0000}', '\\u{e000}\\u{f0000}'],
    ['what is not assigned yet', '\u0378\uffff', '\\u{378}\\u{ffff}'],
    ['half of a pair', 'a\ud800b\udc00', 'a\\u{d800}b\\u{dc00}'],
    ['separators that some terminals break lines at', 'a\u2028b\u2029c\u0085', 'a\\u{2028}b\\u{2029}c\\u{85}'],
    ['spaces that do not separate words', 'rm\u00a0a\u3000b\u2800c', 'rm\\u{a0}a\\u{3000}b\\u{2800}c'],
    ['a mark that would stand on our own quote', '\u0301a', '\\u{301}a'],
    ['marks piled on each other', `a${'\u0301'.repeat(6)}`, `a${'\u0301'.repeat(4)}\\u{301}\\u{301}`],
    ['a stroke that would take a letter back', 'n\u0336o\u20e0', 'n\\u{336}o\\u{20e0}'],
    ['letters of formulas', 'ru\u{1d5c6}', 'ru\\u{1d5c6}'],
    ['a Kelvin, a numeral, a semicolon that is none', '\u212a \u217c \u037e', '\\u{212a} \\u{217c} \\u{37e}'],
    ['a Cyrillic letter in a Latin word', 'p\u0430ypal', 'p\\u{430}ypal'],
    ['a Greek one, an Armenian one, a Cherokee one', 'g\u03bf \u0570i \u13a2f', 'g\\u{3bf} \\u{570}i \\u{13a2}f'],
    ['a foreign digit in a Latin word', 'v\u09ea', 'v\\u{9ea}'],
    ['a word of look-alikes beside a Latin one', 'аррӏе.com', '\\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com'],
    ['a program of look-alikes before a Latin word', 'ѕср a.txt', '\\u{455}\\u{441}\\u{440} a.txt'],
    ['a word of one letter beside Latin ones stays', 'файл с README и о нём', null],
    ['a ligature, a long s, a phonetic g', 'ﬁ ſu ɡit', '\\u{fb01} \\u{17f}u \\u{261}it'],
    [
      'what passes for a dot, a slash, a hyphen, a colon',
      '\u2024\u2024\u2215a \u2010f a\ua789b',
      '\\u{2024}\\u{2024}\\u{2215}a \\u{2010}f a\\u{a789}b',
    ],
    ['look-alikes kept apart by what is not drawn', 'p\u200b\u0430', 'p\\u{200b}\\u{430}'],
    ['words of their own alphabet beside Latin ones stay', 'git-репозиторий отчёт.txt', null],
    ['a text with no Latin letter stays', 'сор и роса', null],
    ['scripts that are written without spaces stay', 'API仕様とTシャツ ใช้APIนี้', null],
  ])('%s', (_why, text, expected) => {
    expect(toVisible(text)).toBe(expected ?? text);
  });

  it('keeps line ends and tabs of a text that may have lines, and nothing else of the kind', () => {
    expect(toVisible('a\n\tb\r\n\u000b\u2028', { multiline: true })).toBe('a\n\tb\\u{d}\n\\u{b}\\u{2028}');
  });

  it('gives only what can be seen, whatever it is given', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, multiline) => {
        const shown = toVisible(text, { multiline });
        const rest = multiline ? shown.replaceAll(/[\n\t]/g, '') : shown;
        expect(rest).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  it('leaves no word in which Latin letters stand beside ones that look like them', () => {
    const anyWord = fc.string({
      unit: fc.constantFrom('a', 'é', 'z', 'а', 'е', 'ж', 'ο', 'λ', '.', '-', ' ', '\u200b'),
    });
    fc.assert(
      fc.property(anyWord, (text) => {
        expect(toVisible(text)).not.toMatch(/[a-zé][\p{Script=Cyrillic}\p{Script=Greek}]|[аеο][a-zé]/u);
      }),
    );
  });

  it('leaves plain ASCII as it is', () => {
    fc.assert(
      fc.property(anyPlainText, (text) => {
        expect(toVisible(text)).toBe(text);
      }),
    );
  });

  it('says of an escaped character which one it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const readBack = toVisible(text).replaceAll(/\\u\{([0-9a-f]+)\}/g, (_all, digits: string) =>
          String.fromCodePoint(Number.parseInt(digits, 16)),
        );
        expect(readBack).toBe(text);
      }),
    );
  });

  it.each([
    ['of one word', 'a\u0430'],
    ['of marks', '\u0301'],
    ['of halves', '\ud800'],
    ['of spaces', ' \u00a0'],
  ])('takes a long text %s in time that grows with its length', (_what, unit) => {
    const timeMs = (length: number): number => {
      const before = process.cpuUsage();
      toVisible(unit.repeat(length));
      return process.cpuUsage(before).user / 1000;
    };
    timeMs(4_000);
    // Sixteen times as long may take a hundred times as long on a busy machine, but not two hundred and fifty-six times.
    expect(timeMs(64_000) / Math.max(timeMs(4_000), 1)).toBeLessThan(120);
  });
});
