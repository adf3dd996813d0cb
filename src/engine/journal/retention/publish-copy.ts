// Brings a file into being whole, under a name that nobody has: what is there is never written over, and what was begun and
// failed leaves nothing behind.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import { syncPath } from '../publish-file.ts';
import { toStoreError } from '../store-error.ts';

/** Calls `fill` with the name of an empty private file, and gives that the name `file`. Throws `file-exists`. */
export async function publishCopy<Result>(file: string, fill: (draft: string) => Promise<Result>): Promise<Result> {
  if (existsSync(file)) throw fileExists(file);
  const draft = `${file}.${randomUUID()}.new`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const result = await fill(draft);
    syncPath(draft);
    link(draft, file);
    syncPath(dirname(file));
    return result;
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

function link(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    throw existsSync(file) ? fileExists(file) : error;
  }
}

const fileExists = (file: string): EngineError =>
  new EngineError('file-exists', `${file} is there already.`, { remedy: 'Name a file that is not, or move it aside.' });
