// Gives a finished draft its name. The name is never seen without its whole content, also by another process or after a
// power cut, and of several processes that publish at once the first one's file stands.
import { closeSync, existsSync, fsyncSync, linkSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Names `draft` as `file` unless somebody was first. The draft stays, for its maker to remove. */
export function publishFile(draft: string, file: string): void {
  syncPath(draft);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
  syncPath(dirname(file));
}

/** Makes what a file holds, or which names a directory has, survive a power cut. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
