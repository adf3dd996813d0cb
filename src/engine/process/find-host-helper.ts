// The programs that the engine itself relies on, on the host and outside every sandbox. Each is resolved once, from the
// directories of the system alone, and only where nothing that the engine starts could have written it.
import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isExecutableFile } from './is-executable-file.ts';

export type HostHelper = 'bwrap' | 'git' | 'perl' | 'prlimit' | 'sandbox-exec' | 'setpriv';

const helperDirectories = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/local/sbin'];

const found = new Map<HostHelper, string | null>();

/** The real path of a helper; null where the system has none that can be trusted. */
export function findHostHelper(name: HostHelper): string | null {
  const known = found.get(name);
  if (known !== undefined) return known;
  const path = findHelperIn(helperDirectories, name);
  found.set(name, path);
  return path;
}

/** The same over any directories, looked up anew. */
export function findHelperIn(directories: readonly string[], name: string): string | null {
  for (const directory of directories) {
    const path = join(directory, name);
    if (!isExecutableFile(path)) continue;
    const real = realpathSync(path);
    if (isBeyondOurReach(real)) return real;
  }
  return null;
}

/** Nobody but its owner may write the file or a directory on the way to it, and commands do not run as that owner. */
function isBeyondOurReach(path: string): boolean {
  const { uid, mode } = statSync(path);
  const own = process.getuid?.();
  // Where there are no such owners no helper is looked for either.
  if (own === undefined || (mode & writableByOthers) !== 0) return false;
  // A root engine starts nothing as root.
  if (own !== 0 && uid === own) return false;
  return path === '/' || isBeyondOurReach(dirname(path));
}

const writableByOthers = 0o022;
