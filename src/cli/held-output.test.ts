import { describe, expect, it } from 'vitest';
import { createHeldOutput } from './held-output.ts';

describe('createHeldOutput', () => {
  it('writes through, and keeps what comes while it is held for afterwards', () => {
    const { written, output } = open();
    output.write('a');
    output.hold();
    output.hold();
    output.write('b');
    output.write('c');
    expect(written).toEqual(['a']);
    output.release();
    output.release();
    output.write('d');
    expect(written).toEqual(['a', 'bc', 'd']);
  });

  it('keeps a bounded amount, and says how much it did not', () => {
    const { written, output } = open();
    output.hold();
    output.write('a'.repeat(64 * 1024));
    output.write('bcd');
    output.release();
    expect(written).toEqual([`${'a'.repeat(64 * 1024)}\n(3 characters were not shown; the trace has them)\n`]);
  });
});

function open() {
  const written: string[] = [];
  return { written, output: createHeldOutput((text) => void written.push(text)) };
}
