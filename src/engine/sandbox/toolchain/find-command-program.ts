import { join } from 'node:path';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import { findToolchains } from './find-toolchains.ts';
import { toProgramDirectories } from './to-sandbox-environment.ts';

/** The file that a command runs by this bare name: what is judged is looked up where it will be found. Null for none. */
export function findCommandProgram(name: string): string | null {
  if (name === '' || name.includes('/')) return null;
  const places = toProgramDirectories(findToolchains()).map((directory) => join(directory, name));
  return places.find(isExecutableFile) ?? null;
}
