// What a foreign pattern comes to here. An allow has to take in at most what the original did, an ask or a denial at least
// that; where no pattern does, an allow is left out and the others are widened.
import type { Effect } from '../../shared/act.ts';
import type { FileRule } from './policy-file.ts';

export type CarriedPattern = Pick<FileRule, 'pattern' | 'except'>;

export interface Carried {
  /** All of them together mean what the original does; empty where it was left out. */
  readonly patterns: readonly CarriedPattern[];
  /** What was lost or added on the way; null when nothing was. */
  readonly note: string | null;
}

export type Aim = 'narrow' | 'wide';

/** Which way to err. */
export function toAim(effect: Effect): Aim {
  return effect === 'allow' ? 'narrow' : 'wide';
}

export const leftOut = (note: string): Carried => ({ patterns: [], note });

export const exactly = (...patterns: CarriedPattern[]): Carried => ({ patterns, note: null });

/** One star is any run of characters here, so more of them say no more. */
export function joinStars(pattern: string): string {
  return pattern.replace(/\*+/g, '*');
}
