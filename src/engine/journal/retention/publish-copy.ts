// Brings a file into being whole, under a name that nobody has: what is there is never written over, and what was begun and
// failed leaves nothing behind. What a killed process has left is removed by whoever next makes the same file.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import { readOwnTag, readTagOwner } from '../../process/owner-tag.ts';
import { passCrashPoint } from '../crash-point.ts';
import { syncPath } from '../publish-file.ts';
import { toStoreError } from '../store-error.ts';

/** Calls `fill` with the name of an empty private file, and gives that the name `file`. Throws `file-exists`. */
export async function publishCopy<Result>(file: string, fill: (draft: string) => Promise<Result>): Promise<Result> {
  const draft = `${file}.${readOwnTag()}.${randomBytes(4).toString('hex')}${suffix}`;
  try {
    removeLeft(file);
    if (existsSync(file)) throw fileExists(file);
    closeSync(openSync(draft, 'wx', 0o600));
    const result = await fill(draft);
    syncPath(draft);
    passCrashPoint('before-rename');
    link(draft, file);
    syncPath(dirname(file));
    return result;
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    for (const name of toNames(draft)) rmSync(name, { force: true });
  }
}

const suffix = '.new';

/** With what SQLite lays beside it. */
const toNames = (draft: string): string[] => ['', '-wal', '-shm', '-journal'].map((more) => draft + more);

/** One whose maker lives, or may live, is still being written. */
function removeLeft(file: string): void {
  const [directory, head] = [dirname(file), `${basename(file)}.`];
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(head) || !draftPattern.test(name)) continue;
    if (readTagOwner(name.slice(head.length))?.isAlive === false) rmSync(join(directory, name), { force: true });
  }
}

const draftPattern = /\.[0-9a-f]{8}\.new(-wal|-shm|-journal)?$/;

function link(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    throw existsSync(file) ? fileExists(file) : error;
  }
}

const fileExists = (file: string): EngineError =>
  new EngineError('file-exists', `${file} is there already.`, { remedy: 'Name a file that is not, or move it aside.' });
