// Where a command may be running. A `cd` can fail, so after it there are two possible directories, and every relative path
// is judged in each of them. Where there are too many, or nobody can tell, the answer is null and paths become opaque.
import { posix } from 'node:path';

/** The possible directories, relative to where the line starts or absolute; null where nobody can tell. */
export type Directories = readonly string[] | null;

/** Where the shell may be after a command that succeeded, and after one that failed. */
export interface Ending {
  readonly success: Directories;
  readonly failure: Directories;
}

const maxDirectories = 4;

export const startDirectories: Directories = ['.'];

/** The ending of whatever leaves the directory alone. */
export function staysIn(directories: Directories): Ending {
  return { success: directories, failure: directories };
}

export const anywhere: Ending = { success: null, failure: null };

export function joinDirectories(...all: readonly Directories[]): Directories {
  const joined = new Set<string>();
  for (const directories of all) {
    if (directories === null) return null;
    for (const directory of directories) joined.add(directory);
  }
  return joined.size > maxDirectories ? null : [...joined];
}

/** Wherever it may be after a command of either ending. */
export function afterEither({ success, failure }: Ending): Directories {
  return joinDirectories(success, failure);
}

/** Either of several ways was gone, and nobody can tell which. */
export function joinEndings(...endings: readonly Ending[]): Ending {
  return staysIn(joinDirectories(...endings.map(afterEither)));
}

/** The shell follows `..` in the text, not through links, and so does this. */
export function enterDirectory(from: Directories, path: string): Ending {
  if (path.startsWith('/')) return { success: [withoutSlash(posix.normalize(path))], failure: from };
  if (from === null) return anywhere;
  const entered = from.map((directory) => withoutSlash(posix.join(directory, path)));
  return { success: joinDirectories(entered), failure: from };
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
