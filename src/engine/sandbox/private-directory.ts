// A directory that nobody else may enter and that is gone afterwards, on every path. Removal looks at entries and never
// follows links, so a command cannot make it delete something of the person's.
import { chmod, lstat, mkdtemp, opendir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Creates one under the system's temporary directory; hold it with `await using`. */
export async function createPrivateDirectory(): Promise<PrivateDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'io-studio-'));
  return { path, [Symbol.asyncDispose]: () => removeTree(path) };
}

/** What even then cannot be removed is left behind rather than failing the run that is over. */
async function removeTree(path: string): Promise<void> {
  const options = { recursive: true, force: true } as const;
  await rm(path, options).catch(async () => {
    await openDirectories(path).catch(() => {});
    await rm(path, options).catch(() => {});
  });
}

/** A command may have taken our own permission away from a directory it made. */
async function openDirectories(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700);
  for await (const entry of await opendir(path)) {
    if (entry.isDirectory()) await openDirectories(join(path, entry.name));
  }
}
