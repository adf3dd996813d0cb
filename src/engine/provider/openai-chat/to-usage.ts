// Usage as the ledger counts it. A count that is missing or zero on both sides is no report: taking it for zero would
// make a budget unlimited.
import type { Usage } from '../../../shared/usage.ts';
import type { WireUsage } from './wire-chunk.ts';

/** The reported usage, or null when the server reported none. */
export function toUsage(wire: WireUsage): Usage | null {
  const inputTokens = wire.prompt_tokens ?? 0;
  // Some servers leave thinking out of the completion; the total, which is what is paid for, has it.
  const outputTokens = Math.max(wire.completion_tokens ?? 0, (wire.total_tokens ?? 0) - inputTokens);
  if (inputTokens === 0 && outputTokens === 0) return null;
  const cached = wire.prompt_tokens_details?.cached_tokens ?? wire.prompt_cache_hit_tokens ?? 0;
  return { inputTokens, outputTokens, cachedInputTokens: Math.min(cached, inputTokens) };
}
