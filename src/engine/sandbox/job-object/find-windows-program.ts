// Finds the program that a command names on Windows, where a bare name means a file with an ending of programs. Batch files
// are none: who names one means a program that reads it.
import { statSync } from 'node:fs';
import { extname, isAbsolute, join, relative } from 'node:path';
import type { StartFailure } from '../launch.ts';

export interface WindowsSight {
  /** Where bare names are looked for. */
  readonly path: readonly string[];
  /** The directory that the command works in, and where it lies for it. */
  readonly directory: { readonly named: string; readonly real: string };
}

export type FoundProgram = { readonly kind: 'found'; readonly path: string } | StartFailure;

/** A bare name, an absolute path, or `./…` for a file of the command's directory. */
export function findWindowsProgram(name: string, { path, directory }: WindowsSight): FoundProgram {
  const place = toPlace(name, directory);
  const places = place === null ? toBarePlaces(name, path).flatMap(withEndings) : [place, ...withEndings(place)];
  const found = places.find(isFile);
  if (found === undefined) return missing('there is no such executable program');
  if (!/^\.(bat|cmd)$/i.test(extname(found))) return { kind: 'found', path: found };
  return missing('it is a batch file, which is run by: cmd.exe /d /c');
}

/** Null for a bare name. */
function toPlace(name: string, { named, real }: WindowsSight['directory']): string | null {
  if (/^\.[\\/]/.test(name)) return join(real, name);
  if (!isAbsolute(name)) return null;
  const below = relative(named, name);
  return below.startsWith('..') || isAbsolute(below) ? name : join(real, below);
}

/** Neither a path nor a drive. */
function toBarePlaces(name: string, path: readonly string[]): string[] {
  return name === '' || /[\\/:]/.test(name) ? [] : path.map((directory) => join(directory, name));
}

function withEndings(path: string): readonly string[] {
  return extname(path) === '' ? [`${path}.com`, `${path}.exe`, `${path}.cmd`, `${path}.bat`] : [path];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function missing(reason: string): StartFailure {
  return { kind: 'not-started', stage: 'program', reason };
}
