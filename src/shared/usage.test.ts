import { describe, expect, it } from 'vitest';
import { noUsage, Price, toCostUsd, totalTokens, Usage } from './usage.ts';

describe('usage', () => {
  it('counts cached tokens among the input, not beside it', () => {
    expect(totalTokens({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 8 })).toBe(15);
    expect(totalTokens(noUsage)).toBe(0);
  });

  it('costs dollars by the million tokens, input and output each at its price', () => {
    const price = { inputPerMTok: 3, outputPerMTok: 15 };
    expect(toCostUsd({ inputTokens: 1_000_000, outputTokens: 0 }, price)).toBe(3);
    expect(toCostUsd({ inputTokens: 0, outputTokens: 1_000_000 }, price)).toBe(15);
    expect(toCostUsd({ inputTokens: 200_000, outputTokens: 100_000 }, price)).toBeCloseTo(2.1, 12);
    expect(toCostUsd({ inputTokens: 9, outputTokens: 9 }, { inputPerMTok: 0, outputPerMTok: 0 })).toBe(0);
  });

  it.each([
    ['a negative count', Usage, { ...noUsage, inputTokens: -1 }],
    ['half a token', Usage, { ...noUsage, outputTokens: 0.5 }],
    ['a count left out', Usage, { inputTokens: 1, outputTokens: 1 }],
    ['a negative price', Price, { inputPerMTok: -1, outputPerMTok: 1 }],
    ['a price without an end', Price, { inputPerMTok: Number.POSITIVE_INFINITY, outputPerMTok: 1 }],
    ['a price with an unknown part', Price, { inputPerMTok: 1, outputPerMTok: 1, cachedPerMTok: 0 }],
  ])('is never %s', (_what, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});
