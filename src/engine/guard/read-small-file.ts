// A short text of the workspace that the guard itself goes by.
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placePath } from './place-path.ts';
import { readRegularFile } from './read-regular-file.ts';

const maxBytes = 256 * 1024;

/** Null where there is none that can be read as a whole. */
export async function readSmallFile(root: WorkspaceRoot, path: string): Promise<string | null> {
  const { place } = placePath(root, 'read', path);
  try {
    const read = await readRegularFile(place, maxBytes);
    return read.kind === 'file' ? Buffer.from(read.file.bytes).toString('utf8') : null;
  } finally {
    place.close();
  }
}
