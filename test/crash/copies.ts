// What a crash would leave on the disk: the journal with its log, and the workspace. A copy is put back into the very place
// that it was taken from, because a store and a workspace are known by the directories that they are.
import { hash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { listTree } from '../support/guarded-workspace.ts';
import type { Scenario } from '../support/open-scenario.ts';

type Place = Pick<Scenario, 'home' | 'workspace'>;

export interface Copy {
  readonly database: Uint8Array;
  /** The write-ahead log; null while there is none. */
  readonly log: Uint8Array | null;
  /** Where the workspace is kept. */
  readonly workspace: string;
  /** Of all of it: two copies with the same one are the same. */
  readonly hash: string;
}

const journalFile = ({ home }: Place): string => join(home, 'journal.db');

/** Null before there is a journal. */
export function takeCopy(place: Place, into: string): Copy | null {
  const file = journalFile(place);
  if (!existsSync(file)) return null;
  cpSync(place.workspace, into, { recursive: true, verbatimSymlinks: true });
  const database = readFileSync(file);
  const log = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : null;
  const entries = listTree(into).map((path) => [path, readEntry(join(into, path))]);
  const parts = [hash('sha256', database), log === null ? '' : hash('sha256', log), JSON.stringify(entries)];
  return { database, log, workspace: into, hash: hash('sha256', parts.join()) };
}

/** Puts it back as the disk of a machine that has been started again since. */
export function putBack(place: Place, copy: Copy): void {
  putFiles(place, copy);
  reboot(place);
}

/** Puts it back as it is. */
export function putFiles(place: Place, { database, log, workspace }: Copy): void {
  const file = journalFile(place);
  rmSync(`${file}-shm`, { force: true });
  writeFileSync(file, database);
  if (log === null) rmSync(`${file}-wal`, { force: true });
  else writeFileSync(`${file}-wal`, log);
  for (const name of readdirSync(place.workspace)) {
    rmSync(join(place.workspace, name), { recursive: true, force: true });
  }
  cpSync(workspace, place.workspace, { recursive: true, verbatimSymlinks: true });
  for (const path of listTree(place.workspace)) orphan(join(place.workspace, path));
}

/** A temporary file names the process that writes it, which is this one, as one of an earlier process of the same number. */
function orphan(path: string): void {
  if (path.endsWith('.tmp')) renameSync(path, path.replace(/-[0-9a-f]{8}(-[0-9a-f]{8}\.tmp)$/, '-00000000$1'));
}

/** The process that holds the leases was one of an earlier start of this machine. */
export function reboot(place: Place): void {
  const opened = new Database(journalFile(place));
  try {
    opened.prepare("update lease set boot = 'an earlier start'").run();
  } finally {
    opened.close();
  }
}

function readEntry(path: string): string | null {
  try {
    return hash('sha256', readFileSync(path));
  } catch {
    return null; // A directory.
  }
}
