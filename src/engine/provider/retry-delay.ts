// How long to wait before a failed request is sent again. Pure: chance comes in, the waiting is done by the caller.

const firstDelayMs = 500;
const longestDelayMs = 30_000;

export interface RetryDelayOptions {
  /** What the server asked for; it knows best, so it is never undercut. */
  readonly retryAfterMs?: number | undefined;
  /** Between 0 and 1. Spreads the attempts of many runs that failed together. */
  readonly random: number;
}

/** The delay after failed attempt `attempt` (1 is the first): doubling from 0.5 s to 30 s, less up to half by chance. */
export function toRetryDelayMs(attempt: number, { retryAfterMs, random }: RetryDelayOptions): number {
  const ceilingMs = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  const backOffMs = Math.round(ceilingMs * (1 - random / 2));
  return Math.max(backOffMs, retryAfterMs ?? 0);
}
