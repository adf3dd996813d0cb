// A started child in the hands of its owner: however the owner leaves, everything of it is ended and its pipes are closed.
import type { StartedChild } from '../process/start-child.ts';
import { endTree } from './end-tree.ts';
import type { SandboxTree } from './launch.ts';

export interface HeldChild extends AsyncDisposable {
  /** From now on these are the processes to end. */
  follow(tree: SandboxTree): void;
  /** Ends them, once. How many still run; null where that cannot be told. */
  end(): Promise<number | null>;
}

export function holdChild(child: StartedChild, firstTree: SandboxTree): HeldChild {
  let tree = firstTree;
  let ended: Promise<number | null> | undefined;
  const end = (): Promise<number | null> => {
    ended ??= endTree(tree);
    return ended;
  };
  return {
    follow(next) {
      tree = next;
    },
    end,
    async [Symbol.asyncDispose]() {
      try {
        await end();
      } finally {
        child.release();
      }
    },
  };
}
