// The workspace of a fork as a copy of the original's. It is made whole beside where it will lie, brought back to what it was
// at the step, and only then given its name: killed on the way, there is no half of a workspace.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import { copyTree } from '../../sandbox/staged/copy-tree.ts';
import { assertApart } from '../resolve-home.ts';

export interface StagedPlace extends AsyncDisposable {
  /** Where it is made. */
  readonly path: string;
  /** Gives it its name; what is not published is removed with the stage. */
  publish(): void;
  /** Takes it away again once it has one. */
  withdraw(): Promise<void>;
}

export interface CopyPlaceOptions {
  readonly home: string;
  /** Real path of the original's workspace. */
  readonly workspace: string;
  /** Absolute; nothing may lie there yet. */
  readonly directory: string;
  /** Relative paths that are not copied. */
  readonly without: readonly string[];
}

/** Throws `usage`, `file-exists`, `home-overlaps-workspace` and `workspace-unusable`, with nothing left. */
export async function stageCopy({ home, workspace, directory, without }: CopyPlaceOptions): Promise<StagedPlace> {
  assertApart(home, directory);
  const above = realpathSync.native(makeAbove(directory));
  if (isInside(above, workspace)) throw insideOriginal(directory, workspace);
  if (existsSync(directory)) throw isTaken(directory);
  const stage = mkdtempSync(join(above, '.io-studio-fork-'));
  const discard = async (): Promise<void> => void (await removeTree(stage));
  const copied = await copyTree({ workspace, hidden: without, into: stage, owner: null, size: 'any' });
  if (copied.kind === 'refused') {
    await discard();
    throw notCopied(copied.reason);
  }
  return {
    path: copied.path,
    publish() {
      if (existsSync(directory)) throw isTaken(directory);
      renameSync(copied.path, directory);
    },
    withdraw: async () => void (await removeTree(directory)),
    [Symbol.asyncDispose]: discard,
  };
}

function makeAbove(directory: string): string {
  const above = dirname(directory);
  mkdirSync(above, { recursive: true });
  return above;
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
}

const isTaken = (directory: string): EngineError =>
  new EngineError('file-exists', `${directory} exists already; a fork makes its directory itself.`, {
    remedy: 'Name another one with --into, or work on in the original with --here.',
  });

const insideOriginal = (directory: string, workspace: string): EngineError =>
  new EngineError('usage', `${directory} lies in ${workspace}, of which it is to be a copy.`, {
    remedy: 'Name a directory outside it with --into.',
  });

const notCopied = (reason: string): EngineError =>
  new EngineError('workspace-unusable', `No fork was made: ${reason}.`, {
    remedy: 'Make room or correct what stands in the way, or fork with --here, which copies nothing.',
  });
