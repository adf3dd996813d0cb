/**
 * Every glob that means `path` wherever in a workspace it stands: a name is found at any depth by itself, a path with a
 * directory needs a second spelling, and with all of a directory goes the directory, as it can be moved or read as one.
 */
export function toPathGlobs(path: string): readonly string[] {
  const directory = path.endsWith('/*') ? toPathGlobs(path.slice(0, -2)) : [];
  return path.includes('/') ? [...directory, path, `*/${path}`] : [path];
}
