import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentId, BlobHash, createRunId, RunId } from './id.ts';

const anyMoment = fc.integer({ min: 0, max: 32 ** 10 - 1 });
const anyBytes = fc.uint8Array({ minLength: 12, maxLength: 16 });

describe('createRunId', () => {
  it('writes the moment in ten digits and chance in twelve', () => {
    expect(createRunId(0, new Uint8Array(12))).toBe(`run-${'0'.repeat(22)}`);
    expect(createRunId(33, new Uint8Array(12).fill(255))).toBe(`run-0000000011${'z'.repeat(12)}`);
  });

  it('sorts by the moment, whatever chance adds', () => {
    fc.assert(
      fc.property(anyMoment, anyMoment, anyBytes, anyBytes, (one, other, oneBytes, otherBytes) => {
        const [first, second] = [createRunId(one, oneBytes), createRunId(other, otherBytes)];
        if (one !== other) expect(first < second).toBe(one < other);
      }),
    );
  });

  it('always makes an id that parses as one', () => {
    fc.assert(
      fc.property(anyMoment, anyBytes, (nowMs, bytes) => {
        const id = createRunId(nowMs, bytes);
        expect(RunId.parse(id)).toBe(id);
      }),
    );
  });

  it('takes each of its last twelve digits from another byte, so equal moments do not collide', () => {
    const ids = Array.from({ length: 12 }, (_, place) => {
      const bytes = new Uint8Array(12);
      bytes[place] = 1;
      return createRunId(0, bytes);
    });
    expect(new Set(ids).size).toBe(12);
  });

  it('refuses too few random bytes, which would make a shorter id', () => {
    expect(() => createRunId(0, new Uint8Array(11))).toThrow();
  });
});

describe('identifiers from outside', () => {
  it.each([
    ['a run id without its prefix', RunId, '0'.repeat(22)],
    ['a run id that is too short', RunId, `run-${'0'.repeat(21)}`],
    ['a run id with a letter that is no digit', RunId, `run-${'i'.repeat(22)}`],
    ['a run id in capitals', RunId, `run-${'A'.repeat(22)}`],
    ['a run id with a line after it', RunId, `run-${'0'.repeat(22)}\n`],
    ['a hash in capitals', BlobHash, 'A'.repeat(64)],
    ['a hash that is too long', BlobHash, 'a'.repeat(65)],
    ['an empty agent id', AgentId, ''],
    ['an agent id without end', AgentId, 'a'.repeat(513)],
  ])('refuses %s', (_what, schema, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});
