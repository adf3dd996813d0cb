// What an agent has made different in its worktree: all of it is compared with what it began with.
import { join } from 'node:path';
import { type HeldDirectory, openHeldDirectory } from '../../sandbox/held-directory.ts';
import type { Leavings } from '../../sandbox/sandbox.ts';
import { compareTrees } from '../../sandbox/staged/compare-trees.ts';
import { listBytes, lookUpReadable, type StagedDirectory } from '../../sandbox/staged/staged-tree.ts';

/** `base`: the directory that holds a copy of what it began with. Nothing may work in either any more. */
export async function readWorktreeChanges(path: string, base: string): Promise<Leavings> {
  const root = toStaged(openHeldDirectory(path));
  try {
    const tree = { root, isForeign: () => false };
    return withoutLink(await compareTrees({ tree, workspace: join(base, 'workspace'), hidden: [] }));
  } finally {
    root.close();
  }
}

function toStaged(held: HeldDirectory): StagedDirectory {
  return {
    listNames: (_path, before) => (before === null ? listBytes(held) : listBoth(held, before)),
    lookUp(name) {
      const at = held.at(name);
      const found = lookUpReadable(at);
      return found && { ...found, at, open: () => toStaged(held.open(name)) };
    },
    close: held.close,
  };
}

function listBoth(held: HeldDirectory, before: HeldDirectory): Buffer[] {
  const names = listBytes(held);
  const known = new Set(names.map((bytes) => bytes.toString('latin1')));
  return [...names, ...listBytes(before).filter((bytes) => !known.has(bytes.toString('latin1')))];
}

/** Its way to the repository is its own. */
function withoutLink(leavings: Leavings): Leavings {
  if (leavings.kind !== 'changes') return leavings;
  const isOther = ({ path }: { readonly path: string }): boolean => path !== '.git' && !path.startsWith('.git/');
  return { ...leavings, changes: leavings.changes.filter(isOther), lost: leavings.lost.filter(isOther) };
}
