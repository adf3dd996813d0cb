// Node: the one that runs the engine, so that checks mean the same everywhere, then the system's. Inside Electron there is
// only the system's.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findSystemProgram } from '../../process/find-system-program.ts';
import { isBelowUsr } from './is-below-usr.ts';
import { isDirectory } from './list-directory.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

export function findNode(own = findOwnNode()): readonly Toolchain[] {
  const system = findSystemProgram('node');
  return [
    ...(own === null ? [] : [toToolchain(realpathSync(own))]),
    ...(system === null ? [] : [createToolchain({ name: 'node', program: realpathSync(system) })]),
  ];
}

function findOwnNode(): string | null {
  return 'electron' in process.versions || basename(process.execPath) !== 'node' ? null : process.execPath;
}

function toToolchain(program: string): Toolchain {
  const directory = dirname(program);
  const home = toInstallation(directory);
  const mounts = isBelowUsr(home) ? [] : [{ source: home, target: home }];
  return createToolchain({ name: 'node', program, path: [directory], mounts });
}

/** The whole installation where npm lies beside Node in it, else no more than the directory of the program. */
function toInstallation(directory: string): string {
  const prefix = dirname(directory);
  return isDirectory(join(prefix, 'lib', 'node_modules', 'npm')) ? prefix : directory;
}
