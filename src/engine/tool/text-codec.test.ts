import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from './text-codec.ts';

const german = 'Die Stra\u00dfe f\u00fchrt \u00fcber den Flu\u00df; sch\u00f6ne Gr\u00fc\u00dfe aus M\u00fcnchen.\n';
const russian = 'Привет, это обычный текст на русском языке, чтобы его можно было узнать.\n';
const japanese = 'これは日本語の文章です。文字コードを判別するための例文です。\n';

describe('decodeText', () => {
  it.each([
    ['utf-8', Buffer.from(german), german, { encoding: 'utf-8', hasBom: false }],
    ['utf-8 with mark', Buffer.from(`\uFEFF${german}`), german, { encoding: 'utf-8', hasBom: true }],
    ['utf-16le', Buffer.from(`\uFEFF${german}`, 'utf16le'), german, { encoding: 'utf-16le', hasBom: true }],
    ['utf-16be', Buffer.from(`\uFEFF${german}`, 'utf16le').swap16(), german, { encoding: 'utf-16be', hasBom: true }],
    ['latin-1', Buffer.from(german, 'latin1'), german, { encoding: 'iso-8859-1', hasBom: false }],
    ['windows-1251', iconv.encode(russian, 'windows-1251'), russian, { encoding: 'windows-1251', hasBom: false }],
    ['shift_jis', iconv.encode(japanese, 'shift_jis'), japanese, { encoding: 'shift_jis', hasBom: false }],
    ['nothing', Buffer.alloc(0), '', { encoding: 'utf-8', hasBom: false }],
  ])('knows %s', async (_, bytes, text, form) => {
    expect(await decodeText(bytes)).toEqual({ kind: 'text', text, form });
  });

  it.each([
    ['a PNG image', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'PNG image'],
    ['a JPEG image without a zero byte', Buffer.from('ffd8ffe1aabb', 'hex'), 'JPEG image'],
    ['text with a zero byte', Buffer.from('a\0b'), null],
    ['control characters that are no text', Buffer.from('0102030405ff0607', 'hex'), null],
    ['UTF-32', Buffer.from('fffe000041000000', 'hex'), null],
    ['half of UTF-16', Buffer.from('fffe410042', 'hex'), null],
  ])('takes %s for binary', async (_, bytes, looksLike) => {
    expect(await decodeText(bytes)).toEqual({ kind: 'binary', looksLike });
  });

  it('gives exactly the same bytes back for whatever it takes for text', async () => {
    const marks = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
    const bytes = fc
      .tuple(marks, fc.uint8Array({ maxLength: 60 }))
      .map(([mark, rest]) => Buffer.from([...mark, ...rest]));
    await fc.assert(
      fc.asyncProperty(bytes, async (original) => {
        const decoded = await decodeText(original);
        if (decoded.kind === 'text') expect(await encodeText(decoded.text, decoded.form)).toEqual(original);
      }),
      { numRuns: 300 },
    );
  });
});

describe('encodeText', () => {
  it.each([
    ['iso-8859-1', '€'],
    ['windows-1251', '漢'],
    ['utf-8', '\ud800'],
  ])('has no bytes in %s for %j', async (encoding, text) => {
    expect(await encodeText(text, { encoding, hasBom: false })).toBe(null);
  });
});
