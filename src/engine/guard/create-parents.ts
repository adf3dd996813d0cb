// Makes missing directories one by one below a held one, so that none of them can be redirected by a link.
import { mkdirSync } from 'node:fs';
import type { HeldDirectory } from '../sandbox/held-directory.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import { syncDirectory } from './sync-directory.ts';

/** The last of `names` below `from`, or `from` itself when there are none. Each is on the disk before the next is made. */
export async function createParents(from: HeldDirectory, names: readonly string[]): Promise<HeldDirectory> {
  let parent = from;
  for (const name of names) {
    try {
      makeDirectory(parent.at(name));
      await syncDirectory(parent);
      const child = parent.open(name);
      if (parent !== from) parent.close();
      parent = child;
    } catch (error) {
      if (parent !== from) parent.close();
      throw error;
    }
  }
  return parent;
}

/** Somebody else may have made it meanwhile; what they made is looked at when it is opened. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (toErrorCode(error) !== 'EEXIST') throw error;
  }
}
