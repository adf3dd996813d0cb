import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

describe('describeChange', () => {
  it.each([
    ['a\n', 'a\nb\n', '1 line added, 0 lines removed'],
    ['a\nb', 'a\nc', '1 line added, 1 line removed'],
    ['a', 'a\nb', '2 lines added, 1 line removed'],
    ['\n', 'a\n', '1 line added, 1 line removed'],
    ['a1\n', 'a0\na1\n', '1 line added, 0 lines removed'],
    ['a\nb\nc\n', 'a\r\nb\nc\r\n', '3 lines added, 3 lines removed'],
    ['same', 'same', '0 lines added, 0 lines removed'],
  ])('says of %j and %j: %s', (before, after, expected) => {
    expect(describeChange(before, after)).toBe(expected);
  });

  it('counts what is left when equal lines are taken off both ends', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', '\r\n', '\n', 'a'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [left, right] = [toLines(before), toLines(after)];
        while (left.length > 0 && left[0] === right[0]) [left, right].forEach((lines) => void lines.shift());
        while (left.length > 0 && left.at(-1) === right.at(-1)) [left, right].forEach((lines) => void lines.pop());
        const [added, removed] = describeChange(before, after).match(/\d+/g) ?? [];
        expect([added, removed]).toEqual([String(right.length), String(left.length)]);
      }),
    );
  });
});

function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
