// Finds the programs of the system by their bare names: always the same ones, whatever PATH says, and never one that lies in
// a workspace.
import { join } from 'node:path';
import { isExecutableFile } from './is-executable-file.ts';

/** Where the system keeps its programs, in the order in which they are looked for. */
export const systemDirectories: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

/** Null where the system has none. */
export function findSystemProgram(name: string): string | null {
  return systemDirectories.map((directory) => join(directory, name)).find(isExecutableFile) ?? null;
}
