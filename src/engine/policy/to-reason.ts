import type { Verdict } from '../../shared/act.ts';

/** A verdict as one sentence for people and models: what was decided by what, and what would change it. */
export function toReason({ because, wouldChange }: Pick<Verdict, 'because' | 'wouldChange'>): string {
  return wouldChange === null ? because : `${because}; ${wouldChange}`;
}
