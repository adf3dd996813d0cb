/** The directories on the way to a relative path, the topmost first: `a/b/c` gives `a` and `a/b`. */
export function toParents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
