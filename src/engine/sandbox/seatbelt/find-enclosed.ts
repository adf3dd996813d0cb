// Finds the program that a command names, and tells before anything starts when Seatbelt would not let it run.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundOutside, findOutside } from '../floor/find-outside.ts';
import type { LaidOut } from '../lay-out-directory.ts';
import { isWithin, type ProfileView } from './compose-profile.ts';
import { systemPlaces } from './system-places.ts';

export interface EnclosedSight {
  /** Where bare names are looked for. */
  readonly searchPath: string;
  readonly place: Pick<LaidOut, 'path' | 'toInside'>;
  readonly view: ProfileView;
}

/** A bare name, an absolute path, or `./…` for a file of the command's directory. */
export function findEnclosed(name: string, { searchPath, place, view }: EnclosedSight): FoundOutside {
  const named = name.startsWith('./') ? join(place.path, name) : name;
  const found = findOutside(named, { searchPath, owner: null, toInside: place.toInside });
  if (found.kind === 'not-started' || isVisible(found.path, view)) return found;
  return { kind: 'not-started', stage: 'program', reason: 'it lies where no command can see it' };
}

function isVisible(path: string, { readable, writable, hidden }: ProfileView): boolean {
  const real = realpathSync(path);
  const isBelow = (places: readonly string[]): boolean => places.some((place) => isWithin(real, place));
  return isBelow([...systemPlaces, ...readable, ...writable]) && !isBelow(hidden);
}
