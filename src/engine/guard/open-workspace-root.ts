// The directory a run works in, held for as long as the run lasts, with what every look-up in it needs to know. Its identity
// is device and inode, not its path: a resumed run can tell that it is back in the same place.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { type HeldDirectory, openHeldDirectory } from '../sandbox/held-directory.ts';
import type { WorkspaceIdentity } from './guard.ts';

/** The engine's own directory, which no act reaches by whatever path or mount. */
export interface HomeIdentity {
  /** The real path. */
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

export interface WorkspaceRoot {
  readonly identity: WorkspaceIdentity;
  readonly directory: HeldDirectory;
  /** The root of the file system, from which the paths of commands are looked up. */
  readonly system: HeldDirectory;
  /** Null while there is none: the home may be made only after the workspace is opened. */
  findHome(): HomeIdentity | null;
  /** Throws `closed` after `close`: a descriptor that was given back may be somebody else's by now. */
  assertOpen(): void;
  close(): void;
}

/** Throws `workspace-unusable` when there is no directory at `path` that can be listed and entered. */
export function openWorkspaceRoot(path: string, home: string | null): WorkspaceRoot {
  const { realPath, directory } = openRealDirectory(path);
  const system = openHeldDirectory('/');
  let isOpen = true;
  let knownHome: HomeIdentity | null = null;
  return {
    identity: { path: realPath, device: String(directory.device), inode: String(directory.inode) },
    directory,
    system,
    findHome: () => {
      knownHome ??= home === null ? null : identifyHome(home);
      return knownHome;
    },
    assertOpen: () => {
      if (!isOpen) throw closedError();
    },
    close: () => {
      isOpen = false;
      directory.close();
      system.close();
    },
  };
}

/** The parts of `path` below `root`, or undefined when it does not lie there. Decides on the text alone. */
export function toPartsBelow(root: string, path: string): string[] | undefined {
  if (path === root) return [];
  const prefix = root.endsWith(sep) ? root : root + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length).split(sep) : undefined;
}

function openRealDirectory(path: string): { readonly realPath: string; readonly directory: HeldDirectory } {
  try {
    const realPath = realpathSync(path);
    const directory = openHeldDirectory(realPath);
    try {
      accessSync(directory.at('.'), constants.R_OK | constants.X_OK);
    } catch (error) {
      directory.close();
      throw error;
    }
    return { realPath, directory };
  } catch (error) {
    throw toWorkspaceError(path, error);
  }
}

function identifyHome(path: string): HomeIdentity | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : { path: realpathSync(path), device: stats.dev, inode: stats.ino };
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

function closedError(): EngineError {
  return new EngineError('closed', 'The guard of this workspace is closed.', { remedy: 'Open a guard for a new run.' });
}
