// The directory a run works in, held for as long as the run lasts. Its identity is device and inode, not its path: a
// resumed run can tell that it is back in the same place.
import { accessSync, constants, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import type { WorkspaceIdentity } from './guard.ts';
import { type HeldDirectory, openHeldDirectory } from './held-directory.ts';

export interface WorkspaceRoot {
  readonly identity: WorkspaceIdentity;
  readonly directory: HeldDirectory;
  close(): void;
}

/** Throws `workspace-unusable` when there is no directory at `path` that can be listed and entered. */
export function openWorkspaceRoot(path: string): WorkspaceRoot {
  try {
    const realPath = realpathSync(path);
    const directory = openHeldDirectory(realPath);
    try {
      accessSync(directory.at('.'), constants.R_OK | constants.X_OK);
    } catch (error) {
      directory.close();
      throw error;
    }
    const identity = { path: realPath, device: String(directory.device), inode: String(directory.inode) };
    return { identity, directory, close: directory.close };
  } catch (error) {
    throw toWorkspaceError(path, error);
  }
}

/** The parts of `path` below `root`, or undefined when it does not lie there. Decides on the text alone. */
export function toPartsBelow(root: string, path: string): string[] | undefined {
  if (path === root) return [];
  const prefix = root.endsWith(sep) ? root : root + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length).split(sep) : undefined;
}

function toWorkspaceError(path: string, cause: unknown): EngineError {
  const message = `The workspace ${JSON.stringify(path)} cannot be used: ${describe(cause)}.`;
  return new EngineError('workspace-unusable', message, {
    remedy: 'Name an existing directory that this user may list and enter.',
    cause,
  });
}

function describe(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (text.startsWith('ENOENT')) return 'there is nothing at this path';
  if (text.startsWith('ENOTDIR')) return 'it is not a directory';
  if (text.startsWith('EACCES')) return 'this user has no permission to list it or to enter it';
  return text;
}
