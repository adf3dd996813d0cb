// The private copy that an import reads: neither a log beside the file nor a change under way is seen through it. It has no
// name from when it is open, so that a killed process leaves none behind; what was killed while it copied is swept later.
import { randomUUID } from 'node:crypto';
import { copyFileSync, constants as fsConstants, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toDatabaseFile } from '../store-file.ts';
import { assertExportHead } from './open-export.ts';

export interface ImportCopy extends Disposable {
  readonly path: string;
  /** Takes its name away, once it is open; where the system does not let go of an open file, disposing it does. */
  hide(): void;
}

/** Copies `file` into `home`. Throws `export-invalid` and `store-newer` for what is no export from its first bytes on. */
export function copyExport(file: string, home: string): ImportCopy {
  sweepImports(home);
  assertExportHead(file);
  const path = `${toDatabaseFile(home)}.${randomUUID()}${suffix}`;
  const remove = (): void => rmSync(path, { force: true });
  try {
    copyFileSync(file, path, fsConstants.COPYFILE_EXCL);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    path,
    hide: () => {
      if (process.platform !== 'win32') remove();
    },
    [Symbol.dispose]: remove,
  };
}

const suffix = '.import';

/** One that is still being copied changes all the time. */
const staleMs = 60 * 60 * 1000;

/** Removes copies that a killed import has left. */
export function sweepImports(home: string): void {
  const directory = dirname(toDatabaseFile(home));
  for (const name of readdirSync(directory)) {
    if (!name.endsWith(suffix)) continue;
    const path = join(directory, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changedAt > staleMs) rmSync(path, { force: true });
  }
}
