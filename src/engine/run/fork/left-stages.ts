// What becomes of forks that were cut off. Without a run in the journal nothing was made, and what was begun is removed; with
// one, everything was on the disk already, and its workspace only lacks its name.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { JournalReader } from '../../journal/journal.ts';
import { removeTree } from '../../sandbox/remove-tree.ts';
import { toErrorCode } from '../../sandbox/to-error-code.ts';
import { clearStage, type LeftStage, listStages, nameWorkspace, releaseName, type StageNote } from './fork-stage.ts';

/** Of forks of this home alone: nobody else can tell whether their runs are there. */
export async function sweepStages(above: string, home: string, reader: Pick<JournalReader, 'readHead'>): Promise<void> {
  for (const stage of listStages(above)) {
    const { path, note, isBeingMade } = stage;
    if (isBeingMade || (note !== null && note.home !== toReal(home))) continue;
    if (note !== null && reader.readHead(note.run) > 0) finish(stage, note);
    else {
      if (note !== null) releaseName(note);
      await removeTree(path);
    }
  }
}

/** Gives the workspace of a fork its name where that was cut off. Throws `file-exists` where the place was taken since. */
export function finishPlace(home: string, { runId, forkedFrom, settings: { workspace } }: RunState): void {
  if (forkedFrom === null || isThere(workspace)) return;
  const above = dirname(workspace.path);
  if (!existsSync(above)) return;
  for (const stage of listStages(above)) {
    const { note } = stage;
    if (note?.run === runId && note.home === toReal(home)) finish(stage, note);
  }
}

function isThere({ path, device, inode }: RunState['settings']['workspace']): boolean {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && String(stats.dev) === device && String(stats.ino) === inode;
}

function finish({ path }: LeftStage, { directory, run }: StageNote): void {
  const made = join(path, 'workspace');
  if (!existsSync(made)) {
    clearStage(path); // It was cut off right after the workspace had its name.
    return;
  }
  try {
    nameWorkspace(path, made, directory);
  } catch (cause) {
    if (!existsSync(made)) return; // Another process has put it there in this moment.
    throw new EngineError(
      'file-exists',
      `The workspace of ${run} cannot be put at ${directory}: ${toErrorCode(cause)}.`,
      {
        remedy: `Move what lies there aside, and resume the run; until then its files lie in ${made}.`,
        cause,
      },
    );
  }
}

const toReal = (home: string): string => realpathSync.native(home);
