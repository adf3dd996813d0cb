// The fallback where no overlay can be mounted: a private copy of the workspace for one command, compared afterwards with
// what was copied. Everything but the hidden paths is copied, folders of packages too, and so it is bounded: its cost grows
// with the whole workspace.
import type { Leavings } from '../sandbox.ts';
import { compareTrees } from './compare-trees.ts';
import { openCopiedTree } from './copied-tree.ts';
import { type CopyOptions, type CopyRefused, copyTree } from './copy-tree.ts';

export interface WorkspaceCopy {
  readonly kind: 'copied';
  readonly path: string;
  /** What was done to the copy. Nothing may run in it any more. */
  readChanges(): Promise<Leavings>;
}

export async function copyWorkspace(options: CopyOptions): Promise<WorkspaceCopy | CopyRefused> {
  const { workspace, hidden } = options;
  const copied = await copyTree(options);
  if (copied.kind === 'refused') return copied;
  const { path, manifest } = copied;
  const readChanges = async (): Promise<Leavings> => {
    const tree = openCopiedTree(path, manifest);
    try {
      return await compareTrees({ tree, workspace, hidden });
    } finally {
      tree.root.close();
    }
  };
  return { kind: 'copied', path, readChanges };
}
