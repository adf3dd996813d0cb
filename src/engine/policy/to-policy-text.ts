// The canonical text of a policy: equal policies give equal text, whatever order their keys were written in. Its hash
// names the policy in the journal; hashing itself is the caller's, as this folder touches nothing outside.
import type { Policy } from './policy.ts';

/** JSON with sorted keys. The order of layers and rules is kept: it decides which rule is reported. */
export function toPolicyText(policy: Policy): string {
  return JSON.stringify(policy, (_key, value: unknown) => (isRecord(value) ? sortKeys(value) : value));
}

function sortKeys(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
