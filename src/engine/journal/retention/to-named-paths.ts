// Which paths of a workspace an event names. Found by shape rather than by a list per event type, so that a new field cannot
// be forgotten and lead out of a workspace.

/** Every `path` and each of `paths` inside `value`, but where the workspace itself lies. */
export function toNamedPaths(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'workspace') return [];
    if (key === 'path' && typeof inner === 'string') return [inner];
    if (key === 'paths' && Array.isArray(inner)) return inner.filter((path) => typeof path === 'string');
    return toNamedPaths(inner);
  });
}
