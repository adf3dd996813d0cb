// Makes the names in a directory durable: a rename or a new entry is only on the disk when its directory is.
import { constants } from 'node:fs';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import { sync, withDescriptor } from '../sandbox/with-descriptor.ts';

/** Resolves once the entries of `directory` are on the disk. Windows has no such call and orders them itself. */
export async function syncDirectory(directory: HeldDirectory): Promise<void> {
  if (process.platform === 'win32') return;
  await withDescriptor(directory.at('.'), { flags: constants.O_RDONLY | constants.O_DIRECTORY }, sync);
}
