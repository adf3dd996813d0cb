/** Closes a switch over a union: a new case then fails to compile, and an impossible value fails loudly. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
