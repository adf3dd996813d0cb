// How large a store may grow before people are told: bytes, bytes with a unit, or `none`. The environment says it for one
// process, in place of what the person's own policy says for their home.
import { EngineError } from '../../../shared/engine-error.ts';
import { parseSize } from '../../../shared/parse-size.ts';

const defaultQuota = '10GB';

export interface QuotaTexts {
  /** Empty where nothing is said. */
  readonly environment: string;
  /** Of a policy that was read and found to be right; null where nothing is said. */
  readonly policy: string | null;
}

/** Null: there is none. Throws `usage` for what the environment should not say. */
export function parseQuota({ environment, policy }: QuotaTexts): number | null {
  const text = environment === '' ? (policy ?? defaultQuota) : environment;
  if (text === 'none') return null;
  const bytes = parseSize(text);
  if (bytes !== null) return bytes;
  throw new EngineError('usage', `IO_STUDIO_STORE_QUOTA is "${text}", which is no size.`, {
    remedy: 'Give a number of bytes, or one with a unit such as 500MB or 20GiB, or none.',
  });
}
