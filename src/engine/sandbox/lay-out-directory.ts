// Where a command works when nothing can be mounted for it: a private directory, a private copy of the workspace, or the
// workspace itself.
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { collectBoxFiles, type Owner, writeBoxFiles } from './box-files.ts';
import { findWorkspace } from './find-workspace.ts';
import type { StartFailure } from './launch.ts';
import type { Leavings, SandboxDirectory } from './sandbox.ts';
import { copyWorkspace } from './staged/copy-workspace.ts';

export interface LaidOut {
  readonly kind: 'laid-out';
  readonly path: string;
  /** Where a program lies for the command: one that is named by `./`, or that lies in a workspace that was copied. */
  toInside(program: string): string;
  readLeavings(): Promise<Leavings>;
}

export interface LayOutOptions {
  /** An existing directory that nobody else may enter. */
  readonly into: string;
  /** Who works in it; null: the engine's own user. */
  readonly owner: Owner | null;
  /** Of one file that is collected. */
  readonly maxFileBytes: number;
  /** When it is wanted no more. */
  readonly signal: AbortSignal;
}

export async function layOutDirectory(
  directory: SandboxDirectory,
  options: LayOutOptions,
): Promise<LaidOut | StartFailure> {
  switch (directory.mode) {
    case 'ephemeral':
      return layOutBox(directory, options);
    case 'staged':
      return layOutCopy(directory, options);
    case 'bound':
      return layOutBound(directory, options);
  }
}

async function layOutBox(
  { files, collect }: Extract<SandboxDirectory, { mode: 'ephemeral' }>,
  { into, owner, maxFileBytes }: LayOutOptions,
): Promise<LaidOut> {
  const path = join(into, 'box');
  await mkdir(path, { mode: 0o700 });
  if (owner !== null) await chown(path, owner.uid, owner.gid);
  await writeBoxFiles(path, files, owner);
  return {
    kind: 'laid-out',
    path,
    toInside: (program) => below(path, program),
    readLeavings: async () => ({ kind: 'files', files: await collectBoxFiles(path, collect, maxFileBytes) }),
  };
}

async function layOutCopy(
  { workspace, hidden }: Extract<SandboxDirectory, { mode: 'staged' }>,
  { into, owner, signal }: LayOutOptions,
): Promise<LaidOut | StartFailure> {
  const found = findWorkspace(workspace);
  if (found.kind === 'not-started') return found;
  const unseen = [...hidden, ...found.ownPaths];
  const copy = await copyWorkspace({ workspace: found.path, hidden: unseen, into, owner, signal });
  if (copy.kind === 'refused') return unfit(copy.reason);
  return {
    kind: 'laid-out',
    path: copy.path,
    toInside: (program) => moved(moved(below(copy.path, program), found.path, copy.path), workspace, copy.path),
    readLeavings: () => copy.readChanges(),
  };
}

/** Inside a directory that is open to a command nothing can be shut, and a user that is made for it owns nothing there. */
async function layOutBound(
  { workspace, hidden }: Extract<SandboxDirectory, { mode: 'bound' }>,
  { owner }: LayOutOptions,
): Promise<LaidOut | StartFailure> {
  const found = findWorkspace(workspace);
  if (found.kind === 'not-started') return found;
  if (hidden.length > 0) return unfit(`nothing in ${workspace} can be hidden while it is open to writing`, enclose);
  if (owner !== null) return unfit(`${workspace} does not belong to the user that the command runs as`, enclose);
  return {
    kind: 'laid-out',
    path: workspace,
    toInside: (program) => below(workspace, program),
    readLeavings: async () => ({ kind: 'nothing' }),
  };
}

const enclose = 'Install bubblewrap, with which it can.';

const below = (directory: string, program: string): string =>
  program.startsWith('./') ? join(directory, program) : program;

function moved(path: string, from: string, to: string): string {
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;
}

function unfit(reason: string, advice?: string): StartFailure {
  return { kind: 'not-started', stage: 'directory', reason, ...(advice === undefined ? {} : { advice }) };
}
