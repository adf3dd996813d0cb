// Finds the program that a command names where nothing encloses it, so that a missing one is told before anything starts.
// What lies in the directory of the command is looked for where that directory really is.
import { realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import type { Owner } from '../box-files.ts';
import { findMissingInterpreter } from '../find-missing-interpreter.ts';
import type { StartFailure } from '../launch.ts';
import { explainUnreachable } from '../toolchain/explain-unreachable.ts';
import { findBarrier } from '../toolchain/find-barrier.ts';

export type FoundOutside = { readonly kind: 'found'; readonly path: string } | StartFailure;

export interface FindOptions {
  /** Where bare names are looked for. */
  readonly searchPath: string;
  /** Who runs it; null: the engine's own user. */
  readonly owner: Owner | null;
  toInside(path: string): string;
}

/** Any but a bare name must be an absolute path, or begin with `./` and lie in the directory of the command. */
export function findOutside(name: string, { searchPath, owner, toInside }: FindOptions): FoundOutside {
  const isBare = !name.includes('/');
  const path = isBare ? findOn(searchPath, name) : isAbsolute(name) || name.startsWith('./') ? toInside(name) : null;
  if (path === null && isBare)
    return explainUnreachable(name) ?? missing('program', 'there is no such executable program');
  if (path === null || !isExecutableFile(path)) return missing('program', 'there is no such executable program');
  const interpreter = findMissingInterpreter(path);
  if (interpreter !== null) return missing('program', `its interpreter ${interpreter} is missing`);
  const isOnHost = path === name || isBare;
  const barrier = owner !== null && isOnHost ? findBarrier(realpathSync(path)) : null;
  if (barrier === null) return { kind: 'found', path };
  return missing('toolchain', `${barrier} is shut to the user that commands run as`);
}

function findOn(searchPath: string, name: string): string | null {
  if (name === '') return null;
  const places = searchPath.split(':').map((directory) => join(directory, name));
  return places.find(isExecutableFile) ?? null;
}

function missing(stage: StartFailure['stage'], reason: string): StartFailure {
  return { kind: 'not-started', stage, reason };
}
