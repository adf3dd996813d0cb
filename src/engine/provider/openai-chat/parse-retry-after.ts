// When a server wants to be asked again, in milliseconds from now.
import type { ResponseHeaders } from '../../net/open-exchange.ts';

/** Reads `retry-after-ms`, or `retry-after` as seconds or as a date. Undefined when there is none that can be read. */
export function parseRetryAfterMs(headers: ResponseHeaders, nowMs: number): number | undefined {
  const exact = toNumber(headers['retry-after-ms']);
  if (exact !== undefined) return exact;
  const seconds = toNumber(headers['retry-after']);
  if (seconds !== undefined) return seconds * 1000;
  const date = headers['retry-after'];
  const atMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

function toNumber(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
