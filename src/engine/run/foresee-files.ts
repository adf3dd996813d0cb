// The workspace as it would be if the open calls before this one had been carried out. All questions of a reply are raised
// at once, so a person must be shown the second edit of a file on top of the first.
import type { BlobHash } from '../../shared/id.ts';
import type { GuardedFiles } from '../guard/guard.ts';

/** Contents that earlier calls of the same reply would leave behind, by path. */
export type ForeseenFiles = ReadonlyMap<string, Uint8Array>;

/** `files`, with the foreseen contents in place of the present ones. Links were followed before: one file has one path. */
export function foreseeFiles(files: GuardedFiles, foreseen: ForeseenFiles): GuardedFiles {
  if (foreseen.size === 0) return files;
  return {
    ...files,
    async read(path, maxBytes) {
      const read = await files.read(path, maxBytes);
      if (read.kind === 'unreadable') return read;
      const file = read.kind === 'file' ? read.file : { path: read.path, mode: 0o644 };
      const bytes = foreseen.get(file.path);
      return bytes === undefined ? read : { kind: 'file', file: { ...file, bytes, hash: files.hashOf(bytes) } };
    },
  };
}

/** The hash a path would have, for a tool that asks what the agent saw last. */
export function foreseeHash(files: GuardedFiles, foreseen: ForeseenFiles, path: string): BlobHash | undefined {
  const bytes = foreseen.get(path);
  return bytes === undefined ? undefined : files.hashOf(bytes);
}
