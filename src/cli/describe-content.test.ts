import { describe, expect, it } from 'vitest';
import { describeContent, isLong, quoteContent } from './describe-content.ts';

const diff = (text: string) => ({ kind: 'diff', text }) as const;

describe('content', () => {
  it.each([
    ['nothing', '', false],
    ['200 lines', 'a\n'.repeat(200), false],
    ['200 lines and a begun one', `${'a\n'.repeat(200)}b`, true],
    ['201 lines', 'a\n'.repeat(201), true],
    ['16 KiB on one line', 'a'.repeat(16 * 1024), false],
    ['more than 16 KiB on one line', 'a'.repeat(16 * 1024 + 1), true],
    ['16 KiB of letters that take more than a byte each', 'é'.repeat(16 * 1024), true],
  ])('of %s is long: %#', (_what, text, long) => {
    expect(isLong(diff(text))).toBe(long);
  });

  it('is measured in lines and bytes', () => {
    expect([describeContent(diff('a')), describeContent(diff(`${'é\n'.repeat(1000)}`))]).toEqual([
      'diff, 1 line, 1 B',
      'diff, 1000 lines, 2.9 KiB',
    ]);
  });

  it('stands behind bars, with its line ends of another system visible', () => {
    expect(quoteContent(diff('-a\n+a\r\n\tb\u0007'))).toEqual(['  | -a', '  | +a\\u{d}', '  | \tb\\u{7}']);
  });
});
