// Finds the program that a command names as the command will see it, so that a missing one is told before anything starts,
// and in the same words as without a sandbox.
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import { findMissingInterpreter } from '../find-missing-interpreter.ts';
import type { StartFailure } from '../launch.ts';
import type { BoxFile, SandboxDirectory } from '../sandbox.ts';
import { explainUnreachable } from '../toolchain/explain-unreachable.ts';
import type { CommandView } from './command-view.ts';
import { readSystemLayout } from './system-layout.ts';

export interface Sight {
  readonly path: string;
  readonly directory: SandboxDirectory;
  readonly view: CommandView;
}

export type FoundInside = { readonly kind: 'found'; readonly path: string } | StartFailure;

/** A bare name is looked for in PATH, in which nothing of the workspace is; `./…` is a file of the command's directory. */
export function findInside(name: string, { directory: asked, ...others }: Sight): FoundInside {
  const directory = toReal(asked);
  const sight = { ...others, directory };
  if (directory.mode === 'ephemeral' && isRelative(name)) {
    return isInBox(name, directory.files) ? { kind: 'found', path: name } : missing(unknownProgram);
  }
  const path = toHostPath(toReached(name, asked, directory), sight);
  if (path === null) return explainUnreachable(name) ?? missing(unknownProgram);
  if (!isExecutableFile(path)) return missing(unknownProgram);
  if (!isVisible(path, sight)) return missing('it lies where no command can see it');
  const interpreter = findMissingInterpreter(path, (each) => isVisible(each, sight));
  return interpreter === null ? { kind: 'found', path } : missing(`its interpreter ${interpreter} is missing`);
}

/** A workspace lies inside where it really lies outside, whatever links lead to it. */
function toReal(directory: SandboxDirectory): SandboxDirectory {
  if (directory.mode === 'ephemeral' || !existsSync(directory.workspace)) return directory;
  return { ...directory, workspace: realpathSync(directory.workspace) };
}

function toReached(name: string, asked: SandboxDirectory, real: SandboxDirectory): string {
  if (asked.mode === 'ephemeral' || real.mode === 'ephemeral') return name;
  return isBelow(name, asked.workspace) ? real.workspace + name.slice(asked.workspace.length) : name;
}

const unknownProgram = 'there is no such executable program';

const isRelative = (name: string): boolean => name.startsWith('./');

function isInBox(name: string, files: readonly BoxFile[]): boolean {
  return files.some(({ path, mode }) => `./${path}` === name && mode === 0o755);
}

/** A file of the workspace lies inside where it does outside. */
function toHostPath(name: string, { directory, path }: Sight): string | null {
  if (isAbsolute(name)) return name;
  if (directory.mode === 'ephemeral' || !isRelative(name)) return findOnPath(name, path);
  return join(directory.workspace, name);
}

function findOnPath(name: string, path: string): string | null {
  if (name === '' || name.includes('/')) return null;
  const places = path.split(':').map((directory) => join(directory, name));
  return places.find(isExecutableFile) ?? null;
}

function isVisible(path: string, { directory, view }: Sight): boolean {
  const { links, readable } = readSystemLayout();
  const seen = [...readable, ...links.map(([link]) => link), ...view.mounts.map(({ target }) => target)];
  if (directory.mode !== 'ephemeral') seen.push(directory.workspace);
  return seen.some((place) => path === place || isBelow(path, place)) && !isHidden(path, directory);
}

function isHidden(path: string, directory: SandboxDirectory): boolean {
  if (directory.mode === 'ephemeral') return false;
  const hidden = directory.hidden.map((each) => join(directory.workspace, each));
  return hidden.some((place) => path === place || isBelow(path, place));
}

const isBelow = (path: string, place: string): boolean => path.startsWith(`${place}/`);

function missing(reason: string): StartFailure {
  return { kind: 'not-started', stage: 'program', reason };
}
