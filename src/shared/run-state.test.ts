import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeBlob } from '../../test/support/simulate-run.ts';
import { givesWay, pointerBytes, type ResultItem, toPointer } from './context-item.ts';

const result = (target: string, bytes: number): ResultItem => ({
  role: 'result',
  blob: fakeBlob('shown', Math.min(bytes, 32_768)),
  callId: 'c',
  call: 0,
  tool: 'read_file',
  target,
  whole: fakeBlob('whole', bytes),
});

describe('the pointer to a result', () => {
  it('says on one line what it was, how large, which version, and how to see it again', () => {
    expect(toPointer(result('src/a.ts', 120_000))).toBe(
      `[result left out to save room: read_file src/a.ts, 120000 bytes, sha256 ${fakeBlob('whole').hash.slice(0, 12)}; call the tool again to see it]`,
    );
  });

  it('is never larger than its bound, whatever the target', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (target) => {
        const item = result(target, 10);
        expect(Buffer.byteLength(toPointer(item))).toBeLessThanOrEqual(pointerBytes(item));
      }),
    );
  });

  it('replaces only what is longer than it', () => {
    const bytes = pointerBytes(result('a', 100));
    expect([bytes, bytes + 1].map((size) => givesWay(result('a', size)))).toEqual([false, true]);
  });
});
