// Has a tree of files survive a power cut: what every file holds, and which names every directory has. Links are names, and
// never followed. Many are synced at a time, because the file system then writes its own log once for all of them.
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorCode } from '../../sandbox/to-error-code.ts';
import { readFlags, sync, withDescriptor } from '../../sandbox/with-descriptor.ts';

const width = 64;

/** How many files and directories were synced. */
export async function syncTree(path: string): Promise<number> {
  const paths = walk(path);
  const ends = await Promise.allSettled(Array.from({ length: width }, () => syncEach(paths)));
  return ends.reduce((sum, end) => {
    if (end.status === 'rejected') throw end.reason;
    return sum + end.value;
  }, 0);
}

async function* walk(directory: string): AsyncGenerator<string> {
  yield directory;
  const entries = await orNull(() => opendir(directory));
  for await (const entry of entries ?? []) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* walk(path);
  }
}

/** All take from one walk; where one fails the others stop too. */
async function syncEach(paths: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  for await (const path of paths) {
    const synced = await orNull(() =>
      withDescriptor(path, { flags: readFlags }, (descriptor) => sync(descriptor).then(() => true)),
    );
    if (synced !== null) count += 1;
  }
  return count;
}

/** Null for what may not be read: of the original it may not be either, so that nothing of it was copied. */
async function orNull<Result>(use: () => Promise<Result>): Promise<Result | null> {
  try {
    return await use();
  } catch (error) {
    if (toErrorCode(error) === 'EACCES') return null;
    throw error;
  }
}
