// The directory in which the workspace of a fork is made, beside where it will lie. Its name says who is making it, and a note
// in it for which run of which home: whoever finds it later knows what has to become of it.
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { RunId } from '../../../shared/id.ts';
import { passCrashPoint } from '../../journal/crash-point.ts';
import { syncPath } from '../../journal/publish-file.ts';
import { readOwnTag, readTagOwner } from '../../process/owner-tag.ts';
import { isOwnDirectory } from '../../sandbox/ownership/own-directory.ts';

const StageNote = z.strictObject({
  /** Real path of the home that has the run, once it is there. */
  home: z.string(),
  run: RunId,
  /** Real path that the workspace will have, and the empty directory that keeps the name until then. */
  directory: z.string(),
  inode: z.string(),
});
export type StageNote = z.infer<typeof StageNote>;

export interface LeftStage {
  readonly path: string;
  /** Null: it was not there yet, so that nothing else is either. */
  readonly note: StageNote | null;
  /** In doubt it is. */
  readonly isBeingMade: boolean;
}

const head = '.io-studio-fork-';
const noteName = 'fork.json';
const maxNoteBytes = 64 * 1024;

export const createStage = (above: string): string => mkdtempSync(join(above, `${head}${readOwnTag()}.`));

export function writeNote(stage: string, note: StageNote): void {
  const file = join(stage, noteName);
  writeFileSync(file, JSON.stringify(note), { flag: 'wx', mode: 0o600 });
  syncPath(file);
}

/** Those of this user that lie in a directory. */
export function listStages(above: string): LeftStage[] {
  return readdirSync(above).flatMap((name) => {
    const owner = name.startsWith(head) ? readTagOwner(name.slice(head.length)) : null;
    const path = join(above, name);
    if (owner === null || !isOurs(path)) return [];
    return [{ path, note: readNote(path), isBeingMade: owner.isAlive }];
  });
}

/** Puts what was made where it belongs, and takes the stage away. Throws where somebody has filled the place meanwhile. */
export function nameWorkspace(stage: string, workspace: string, directory: string): void {
  if (process.platform === 'win32') rmdirSync(directory); // An empty directory is not replaced there.
  passCrashPoint('before-rename');
  renameSync(workspace, directory);
  passCrashPoint('after-rename');
  syncPath(dirname(directory));
  clearStage(stage);
}

/** Takes an empty stage away. */
export function clearStage(stage: string): void {
  rmSync(join(stage, noteName), { force: true });
  rmdirSync(stage);
}

/** Gives back a name that was kept by an empty directory; one that holds something stays. */
export function releaseName({ directory, inode }: Pick<StageNote, 'directory' | 'inode'>): void {
  const stats = lstatSync(directory, { bigint: true, throwIfNoEntry: false });
  if (stats?.isDirectory() !== true || String(stats.ino) !== inode) return;
  try {
    rmdirSync(directory);
  } catch {
    // Somebody has put something there: it is theirs now.
  }
}

function isOurs(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && isOwnDirectory(stats);
}

function readNote(stage: string): StageNote | null {
  const file = join(stage, noteName);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > maxNoteBytes) return null;
  const note = StageNote.safeParse(parseJson(readFileSync(file, 'utf8')));
  // It says nothing of a place that is not beside it.
  return note.success && dirname(note.data.directory) === dirname(stage) && basename(note.data.directory) !== ''
    ? note.data
    : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // It was cut off while it was written.
  }
}
