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
  if (expected === got) return null;
  const from = findBeginning(expected, got);
  return { what, expected: cut(expected, from), got: cut(got, from) };
}

/** For people: `effect allow, rule none`. */
export const toWords = (fields: Readonly<Record<string, string | number | boolean | null>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${value ?? 'none'}`)
    .join(', ');

const maxCharacters = 500;
/** What both have in common, before the difference. */
const maxLead = 100;

/** Where texts that cannot be told whole are told from, so that what is different is in it. */
function findBeginning(expected: string, got: string): number {
  if (Math.max(expected.length, got.length) <= maxCharacters) return 0;
  let common = 0;
  while (common < expected.length && expected[common] === got[common]) common += 1;
  return common <= maxLead ? 0 : common - maxLead;
}

function cut(text: string, from: number): string {
  const head = from === 0 ? '' : '…';
  const tail = text.length - from <= maxCharacters ? '' : '…';
  const kept = maxCharacters - head.length - tail.length;
  return tail === '' ? `${head}${text.slice(from)}` : `${head}${text.slice(from, from + kept)}${tail}`;
}
