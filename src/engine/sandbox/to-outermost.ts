import { toParents } from './to-parents.ts';

/** Each of these relative paths once, and none that lies in another one: what lies in something hidden is hidden with it. */
export function toOutermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => !toParents(path).some((above) => all.has(above)));
}
