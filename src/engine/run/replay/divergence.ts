// What a replay compares, and what it finds.
import type { JournalEvent } from '../../../shared/event.ts';
import type { Divergence } from '../engine.ts';

/** A difference before it is known whose it is. */
export type Mismatch = Pick<Divergence, 'what' | 'expected' | 'got'>;

export function toDivergence(event: JournalEvent, mismatch: Mismatch): Divergence {
  const { seq, agentId, step, type } = event;
  return { seq, agentId, step, call: 'call' in event ? (event.call ?? null) : null, type, ...mismatch };
}

/** Null where both are the same. */
export function compare(what: string, expected: string, got: string): Mismatch | null {
  return expected === got ? null : { what, expected: cut(expected), got: cut(got) };
}

const maxCharacters = 500;

const cut = (text: string): string => (text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`);
