import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainOutput } from './to-plain-output.ts';

const [esc, bell, csi] = ['\u001b', '\u0007', '\u009b'];

describe('toPlainOutput', () => {
  it.each([
    ['plain\ttext\n', 'plain\ttext\n'],
    [`${esc}[1;31mred${esc}[0m`, 'red'],
    [`a${esc}[2K${esc}[1Gb`, 'ab'],
    [`${esc}]0;title${bell}text`, 'text'],
    [`${esc}]8;;https://example.org${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    [`${esc}Pq#0${esc}\\text`, 'text'],
    [`${esc}(Btext${esc}7`, 'text'],
    [`${esc}]0;never ended\nnext line`, '\nnext line'],
    [`${csi}31mred`, '31mred'],
    ['one\r\ntwo\rthree\r', 'one\ntwothree'],
    ['a\u0000b\bc\u007fd\u0085e', 'abcde'],
    ['ä 😀 \u200d', 'ä 😀 \u200d'],
    [`${esc}`, ''],
  ])('makes %j into %j', (text, plain) => {
    expect(toPlainOutput(text)).toBe(plain);
  });

  it('leaves no control character but tabs and line ends, and does no more the second time', () => {
    const unit = fc.constantFrom(esc, bell, csi, '[', ']', '\\', 'P', ';', '0', 'm', '\n', '\t', '\r', 'ä');
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const plain = toPlainOutput(text);
        expect(plain).not.toMatch(/[^\P{Cc}\t\n]/u);
        expect(toPlainOutput(plain)).toBe(plain);
      }),
    );
  });

  it.each([`${esc}[`, `${esc}];`, `${esc}[0;`, ';', `${esc} `])('takes no longer for many of %j', (piece) => {
    const startedMs = performance.now();
    toPlainOutput(piece.repeat(100_000) + ';'.repeat(100_000));
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});
