import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toShown } from './to-shown.ts';

const shownBytes = 32 * 1024;
const note = /\n\[(\d+) of (\d+) bytes left out here, about lines (\d+) to (\d+) of this result\. Ask .+\]\n/s;

/** Long texts of every kind: few or many line ends, one to four bytes a character, halves of pairs among them. */
const anyLongText = fc
  .tuple(
    fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🎉', '\n', '\ud800', '\ufffd') }), { minLength: 1 }),
    fc.integer({ min: 10_000, max: 60_000 }),
  )
  .map(([parts, length]) => `${parts.join('')}-`.repeat(Math.ceil(length / (parts.join('').length + 1))));

describe('toShown', () => {
  it('leaves a text that fits as it is, to the last byte', () => {
    for (const text of ['', 'a\n', 'a'.repeat(shownBytes), '漢'.repeat(10_922)]) expect(toShown(text, 'a')).toBe(text);
  });

  it('is never longer than 32 KiB, whatever the text and however long the target', () => {
    fc.assert(
      fc.property(anyLongText, fc.constantFrom('a.txt', '漢'.repeat(300), '🎉'.repeat(300)), (text, target) => {
        expect(Buffer.byteLength(toShown(text, target))).toBeLessThanOrEqual(shownBytes);
      }),
    );
  });

  it('shows head and tail word for word, and accounts for every byte between them', () => {
    fc.assert(
      fc.property(anyLongText, (given) => {
        const text = given.toWellFormed();
        const shown = toShown(text, 'a.txt');
        if (shown === text) return;
        const [head, left, all, , , tail, ...more] = shown.split(note);
        expect(more).toEqual([]);
        expect(text.startsWith(head ?? '?') && text.endsWith(tail ?? '?')).toBe(true);
        const size = Buffer.byteLength(text);
        expect([Number(left), Number(all)]).toEqual([
          size - Buffer.byteLength(head ?? '') - Buffer.byteLength(tail ?? ''),
          size,
        ]);
      }),
    );
  });

  it('cuts at line ends, and says which lines are left out and how to read on', () => {
    const lines = Array.from({ length: 10_000 }, (_, line) => `line ${line + 1}`);
    const [head = '', left, , from, to, tail = ''] = toShown(lines.join('\n'), 'src/a.ts').split(note);
    expect(head).toMatch(/^line 1\n.*\nline \d+$/s);
    expect(tail).toMatch(/^line \d+\n.*\nline 10000$/s);
    expect([from, to]).toEqual([String(head.split('\n').length + 1), String(10_000 - tail.split('\n').length)]);
    expect(toShown(lines.join('\n'), 'src/a.ts')).toContain(
      `[${left} of 98893 bytes left out here, about lines ${from} to ${to} of this result. Ask for a narrower part of src/a.ts to read them.]`,
    );
  });

  it('names the one line that a text without line ends has', () => {
    expect(toShown('x'.repeat(100_000), 'a').match(note)?.slice(3, 5)).toEqual(['1', '1']);
    expect(
      toShown(`first\n${'x'.repeat(100_000)}\nlast`, 'a')
        .match(note)
        ?.slice(3, 5),
    ).toEqual(['2', '2']);
  });
});
