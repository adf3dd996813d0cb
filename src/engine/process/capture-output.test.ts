import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captureOutput, clipText } from './capture-output.ts';

describe('capturing an output', () => {
  it('keeps an output that fits as it is', () => {
    expect(clipText('0123456789', 10)).toBe('0123456789');
  });

  it('keeps head and tail of a longer one and says how much is missing', () => {
    const capture = captureOutput(8);
    capture.push(Buffer.from('abcdefghijklmnop'));
    expect(capture.read()).toEqual({ text: 'abcd\n[8 bytes left out]\nmnop', droppedBytes: 8 });
  });

  it('cuts no character in two', () => {
    expect(clipText('ä€😀'.repeat(3), 13)).toBe('ä€\n[18 bytes left out]\n😀');
  });

  it('is the same however the output is cut into chunks', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.integer({ min: 2, max: 40 }), sizes, (bytes, maxBytes, cuts) => {
        const whole = captureOutput(maxBytes);
        whole.push(bytes);
        const pieces = captureOutput(maxBytes);
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(pieces.read()).toEqual(whole.read());
        if (bytes.length <= maxBytes) expect(whole.read().droppedBytes).toBe(0);
      }),
    );
  });
});
