import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutputLog } from './output-log.ts';

describe('createOutputLog', () => {
  it('keeps the last part of everything, each byte at its own place, and counts what is gone', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 32 }), fc.nat(300), fc.nat(40), (written, kept, cursor, most) => {
        const log = createOutputLog(kept);
        for (const piece of written) log.push(piece);
        const all = Buffer.concat(written);
        const from = Math.min(cursor, all.length);
        const start = Math.max(from, all.length - kept);
        const next = Math.min(all.length, start + most);
        const { bytes, ...rest } = log.read(cursor, most);
        expect([Buffer.from(bytes), rest, log.end]).toEqual([
          all.subarray(start, next),
          { next, droppedBytes: start - from },
          all.length,
        ]);
      }),
    );
  });

  it('hands out copies: what is written later changes nothing that was read', () => {
    const log = createOutputLog(4);
    log.push(Buffer.from('abcd'));
    const { bytes } = log.read(0, 4);
    log.push(Buffer.from('efgh'));
    expect(Buffer.from(bytes).toString()).toBe('abcd');
  });
});
