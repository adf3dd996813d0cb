// Everything below a directory in a form that can be compared: two trees that are described the same are the same.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** By relative path: kind, permission bits, and content or target. */
export function describeEntries(directory: string, below = ''): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const name of readdirSync(join(directory, below)).sort()) {
    const path = join(below, name);
    const at = join(directory, path);
    const stats = lstatSync(at);
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isSymbolicLink()) entries[path] = `link ${readlinkSync(at)}`;
    else if (stats.isDirectory())
      Object.assign(entries, { [path]: `directory ${mode}` }, describeEntries(directory, path));
    else entries[path] = `file ${mode} ${readFileSync(at, 'utf8')}`;
  }
  return entries;
}
