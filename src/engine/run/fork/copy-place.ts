// The workspace of a fork as a copy of the original's. It is made beside where it will lie, brought back to what it was at the
// step, synced, and given its name only once its run is in the journal: killed before, nothing is there that looks like one.
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import type { RunId } from '../../../shared/id.ts';
import type { JournalReader } from '../../journal/journal.ts';
import { syncPath } from '../../journal/publish-file.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import { copyTree } from '../../sandbox/staged/copy-tree.ts';
import { toErrorCode } from '../../sandbox/to-error-code.ts';
import { assertApart } from '../resolve-home.ts';
import { createStage, nameWorkspace, releaseName, type StageNote, writeNote } from './fork-stage.ts';
import { sweepStages } from './left-stages.ts';
import { syncTree } from './sync-tree.ts';

export interface StagedPlace extends AsyncDisposable {
  /** Where it is made. */
  readonly path: string;
  /** The real path that it will have. */
  readonly directory: string;
  /** Has all of it survive a power cut. */
  sync(): Promise<void>;
  /** Gives it its name; what has none is removed with the stage. Throws where somebody has filled the place meanwhile. */
  publish(): void;
}

export interface CopyPlaceOptions {
  readonly home: string;
  readonly reader: JournalReader;
  /** The run that it is made for. */
  readonly runId: RunId;
  /** Real path of the original's workspace. */
  readonly workspace: string;
  /** Absolute; nothing may lie there yet. */
  readonly directory: string;
  /** Relative paths that are not copied. */
  readonly without: readonly string[];
}

/** Throws `usage`, `file-exists`, `home-overlaps-workspace` and `workspace-unusable`, with nothing left. */
export async function stageCopy(options: CopyPlaceOptions): Promise<StagedPlace> {
  const { home, reader, workspace, directory: wanted, without } = options;
  assertApart(home, wanted);
  const above = realpathSync.native(makeAbove(wanted));
  if (isInside(above, workspace)) throw insideOriginal(wanted, workspace);
  await sweepStages(above, home, reader);
  await using undoing = new AsyncDisposableStack();
  const stage = createStage(above);
  undoing.defer(async () => void (await removeTree(stage)));
  const note = keepName(options);
  undoing.defer(() => releaseName(note));
  writeNote(stage, note);
  const copied = await copyTree({ workspace, hidden: without, into: stage, owner: null, size: 'any' });
  if (copied.kind === 'refused') throw notCopied(copied.reason);
  const { directory } = note;
  const undo = undoing.move();
  return {
    path: copied.path,
    directory,
    async sync() {
      await syncTree(stage);
      syncPath(above);
    },
    publish: () => nameWorkspace(stage, copied.path, directory),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

/** The name is kept by an empty directory: whoever wants it meanwhile is told that it is taken. */
function keepName({ home, runId, directory: wanted }: CopyPlaceOptions): StageNote {
  try {
    mkdirSync(wanted);
  } catch (error) {
    throw toErrorCode(error) === 'EEXIST' ? isTaken(wanted) : error;
  }
  const directory = realpathSync.native(wanted);
  const inode = String(lstatSync(directory, { bigint: true }).ino);
  return { home: realpathSync.native(home), run: runId, directory, inode };
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
