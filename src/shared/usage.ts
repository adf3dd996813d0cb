// Tokens and money. Money is always US dollars; an unknown price is null, never zero.
import { z } from 'zod';

const count = z.int().nonnegative();

export const Usage = z.strictObject({
  /** All tokens sent, cached ones included. */
  inputTokens: count,
  outputTokens: count,
  /** The part of `inputTokens` that the provider served from its cache. */
  cachedInputTokens: count,
});
export type Usage = z.infer<typeof Usage>;

export const Price = z.strictObject({
  inputPerMTok: z.number().nonnegative(),
  outputPerMTok: z.number().nonnegative(),
});
export type Price = z.infer<typeof Price>;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

export const totalTokens = (usage: Usage): number => usage.inputTokens + usage.outputTokens;

/** Cost in US dollars of `usage` at `price`. Cached input is charged as input: prices here name no discount. */
export function toCostUsd(usage: Pick<Usage, 'inputTokens' | 'outputTokens'>, price: Price): number {
  return (usage.inputTokens * price.inputPerMTok + usage.outputTokens * price.outputPerMTok) / 1_000_000;
}
