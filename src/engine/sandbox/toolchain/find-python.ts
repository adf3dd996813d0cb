// Python: the version that pyenv runs everywhere, by its own directory and at its own place, because such a build finds its
// libraries nowhere else; then the system's.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSystemProgram } from '../../process/find-system-program.ts';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

/**
 * Otherwise compiled files would be left beside each source that is imported. Keeping them elsewhere instead would hide those
 * of the standard library too, and all of it would be compiled for each command.
 */
const settings = { environment: { PYTHONDONTWRITEBYTECODE: '1' } };

export function findPython(home: string | null): readonly Toolchain[] {
  const own = home === null ? null : findPyenvVersion(join(home, '.pyenv'));
  const system = findSystemProgram('python3');
  return [
    ...(own === null ? [] : [toOwn(own)]),
    ...(system === null ? [] : [createToolchain({ name: 'python', program: realpathSync(system), ...settings })]),
  ];
}

function toOwn(directory: string): Toolchain {
  const path = join(directory, 'bin');
  const program = join(path, 'python3');
  const homes = [directory, findBase(directory)].filter((each) => each !== null);
  const mounts = homes.map((each) => ({ source: each, target: each }));
  return createToolchain({ name: 'python', program: realpathSync(program), path: [path], mounts, ...settings });
}

/** Of several versions the first is what `python3` runs; `system` is none of pyenv's. */
function findPyenvVersion(pyenvHome: string): string | null {
  const [version] = readText(join(pyenvHome, 'version'))?.split(/\s+/).filter(isName) ?? [];
  if (version === undefined) return null;
  const directory = join(pyenvHome, 'versions', version);
  return isExecutableFile(join(directory, 'bin', 'python3')) ? realpathSync(directory) : null;
}

/** The installation that a virtual environment was made from. */
function findBase(directory: string): string | null {
  const bin = /^home\s*=\s*(\/.+?)\s*$/m.exec(readText(join(directory, 'pyvenv.cfg')) ?? '')?.[1];
  return bin === undefined || !isExecutableFile(join(bin, 'python3')) ? null : realpathSync(dirname(bin));
}

const isName = (text: string): boolean => text !== '' && !text.includes('/') && !text.startsWith('.');

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
