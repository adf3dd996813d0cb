// One text for one value: what is signed or hashed must not depend on the order in which somebody wrote its keys.

/** JSON with sorted keys and no blanks. Lists keep their order; undefined members are left out. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isRecord(member) ? sortKeys(member) : member));
}

function sortKeys(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
