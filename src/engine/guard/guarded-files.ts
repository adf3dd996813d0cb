// The handle through which tools look at files. It judges again at the moment of use, on the very place it then uses: a file
// may have become a link since the act was judged, and what is read must be what was asked about.
import type { Dirent } from 'node:fs';
import { hashBytes } from '../journal/create-blob.ts';
import type { Stance } from '../policy/policy.ts';
import type { GuardedFiles } from './guard.ts';
import { entriesIgnoreLetterCase } from './ignores-letter-case.ts';
import { judgeResolved } from './judge-resolved.ts';
import { type Permission, withPlace } from './judged-place.ts';
import { listDirectory } from './list-directory.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { toEntryTarget } from './parse-workspace-path.ts';
import type { Place } from './place.ts';
import { type PlacedPath, placePath } from './place-path.ts';
import { readRegularFile } from './read-regular-file.ts';
import { createSearch } from './search-workspace.ts';

/** The handle for one agent's look at the workspace, by the stance it is judged by. */
export function createGuardedFiles(root: WorkspaceRoot, permission: Permission): GuardedFiles {
  return {
    hashOf: hashBytes,
    read: (path, maxBytes) =>
      withPlace(root, { kind: 'read', path }, permission, ({ because, place }) =>
        because === null ? readRegularFile(place, maxBytes) : { kind: 'unreadable', reason: because },
      ),
    list: (path) =>
      withPlace(root, { kind: 'read', path }, permission, ({ because, ...placed }) =>
        because === null
          ? listDirectory(placed.place, createEntryFilter(root, permission.stance, placed))
          : { kind: 'unreadable', reason: because },
      ),
    readable: async (paths) => new Set(await filterReadable(root, paths, permission)),
    ...createSearch({ root, permission }),
  };
}

async function filterReadable(
  root: WorkspaceRoot,
  paths: readonly string[],
  permission: Permission,
): Promise<readonly string[]> {
  const readable: string[] = [];
  for (const path of paths) {
    const because = await withPlace(root, { kind: 'read', path }, permission, (judged) => judged.because);
    if (because === null) readable.push(path);
  }
  return readable;
}

/** Whether an entry of the judged directory may be shown. A file lies where its directory does; all else is placed. */
function createEntryFilter(root: WorkspaceRoot, stance: Stance, listed: Pick<PlacedPath, 'act' | 'place'>) {
  const { act } = listed;
  const letterCase = act.letterCase === 'ignored' || foldsEntries(listed.place) ? 'ignored' : 'exact';
  return (entry: Dirent): boolean => {
    const target = toEntryTarget(act.target, entry.name);
    if (entry.isFile() && act.real !== null) {
      const entryAct = { ...act, target, real: toEntryTarget(act.real, entry.name), letterCase } as const;
      return judgeResolved({ act: entryAct, refusal: null }, stance).verdict.effect !== 'deny';
    }
    const placed = placePath(root, 'read', target);
    placed.place.close();
    return judgeResolved(placed, stance).verdict.effect !== 'deny';
  };
}

function foldsEntries(place: Place): boolean {
  return place.kind === 'found' && place.stats.isDirectory() && entriesIgnoreLetterCase(place.directory);
}
