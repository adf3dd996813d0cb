// How large a store may grow before people are told: `IO_STUDIO_STORE_QUOTA`, in bytes or with a unit, or `none`.
import { EngineError } from '../../../shared/engine-error.ts';

const defaultQuotaBytes = 10 * 10 ** 9;

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Null: there is none. Throws `usage`. */
export function parseQuota(text: string | undefined): number | null {
  if (text === undefined || text === '') return defaultQuotaBytes;
  if (text === 'none') return null;
  const bytes = parseSize(text);
  if (bytes !== null) return bytes;
  throw new EngineError('usage', `IO_STUDIO_STORE_QUOTA is "${text}", which is no size.`, {
    remedy: 'Give a number of bytes, or one with a unit such as 500MB or 20GB, or none.',
  });
}

/** A number of bytes, as people write it; null: it is none. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)\s*([kmgt]?)b?$/i.exec(text.trim());
  const unit = units[(match?.[2] ?? '').toLowerCase()];
  return match === null || unit === undefined ? null : Math.round(Number(match[1]) * unit);
}
