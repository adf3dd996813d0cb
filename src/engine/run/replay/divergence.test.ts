import { describe, expect, it } from 'vitest';
import { compare } from './divergence.ts';

const long = 'line\n'.repeat(400);

describe('a comparison', () => {
  it('finds nothing where both are the same', () => {
    expect(compare('result', long, long)).toBeNull();
  });

  it('tells short texts whole', () => {
    expect(compare('result', 'one', 'two')).toEqual({ what: 'result', expected: 'one', got: 'two' });
  });

  it('tells of long ones the part in which they are different', () => {
    const found = compare('result', `${long}one\n${long}`, `${long}two\n${long}`);
    expect(found?.expected).toMatch(/^…(line\n){20}one\n(line\n)+[line]*…$/);
    expect(found?.got).toMatch(/^…(line\n){20}two\n/);
    expect([found?.expected.length, found?.got.length]).toEqual([500, 500]);
  });

  it('tells where one of them ends', () => {
    expect(compare('result', long, `${long}more`)).toMatchObject({
      expected: `…${'line\n'.repeat(20)}`,
      got: `…${'line\n'.repeat(20)}more`,
    });
  });
});
