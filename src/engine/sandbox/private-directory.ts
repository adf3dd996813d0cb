// A directory that nobody else may enter and that is gone afterwards, on every path. Its name says whose it is, so that what
// an engine that was killed has left is found and removed by the next one.
import { chownSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { readOwnTag } from '../process/owner-tag.ts';
import { openPrivateBase } from './ownership/private-base.ts';
import { removeTree } from './remove-tree.ts';

export interface PrivateDirectory extends AsyncDisposable {
  /** Its real path. */
  readonly path: string;
}

/** Creates one under the user's private base, for the engine's own user or for the one a sandbox runs as. */
export async function createPrivateDirectory(
  owner: { readonly uid: number; readonly gid: number } | null = null,
): Promise<PrivateDirectory> {
  const path = makeDirectory(openPrivateBase(), owner);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeTree(path);
    },
  };
}

function makeDirectory(base: string, owner: { readonly uid: number; readonly gid: number } | null): string {
  try {
    const path = mkdtempSync(join(base, `${readOwnTag()}.`));
    if (owner !== null) giveTo(path, owner);
    return path;
  } catch (cause) {
    throw new EngineError('sandbox-unavailable', `No directory can be made in ${base}.`, {
      remedy: 'Free space there, or set TMPDIR to another directory that you may write to.',
      cause,
    });
  }
}

function giveTo(path: string, owner: { readonly uid: number; readonly gid: number }): void {
  try {
    chownSync(path, owner.uid, owner.gid);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
}
