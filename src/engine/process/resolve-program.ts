// Finds the program that a bare name means: always the same one, whatever PATH says, and never one that lies in a
// workspace. `node` is the Node that runs the engine; rustc and cargo may also come from the person's own toolchain.
import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const systemDirectories = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const rustPrograms = new Set(['rustc', 'cargo']);

/** The absolute path of an absolute or bare program name, or null when it is missing or may not be executed. */
export function resolveProgram(name: string): string | null {
  if (isAbsolute(name)) return isExecutable(name) ? name : null;
  if (name === '' || name.includes('/')) return null;
  if (name === 'node' && nodeDirectories.length > 0) return process.execPath;
  const directories = rustPrograms.has(name) ? programDirectories() : [...nodeDirectories, ...systemDirectories];
  return directories.map((directory) => join(directory, name)).find(isExecutable) ?? null;
}

/** The PATH of children. */
export function toProgramPath(): string {
  return programDirectories().join(':');
}

/** The file that a child runs by this bare name, the person's own programs included; null where there is none. */
export function findOnProgramPath(name: string): string | null {
  if (name === '' || name.includes('/')) return null;
  return (
    programDirectories()
      .map((directory) => join(directory, name))
      .find(isExecutable) ?? null
  );
}

/** Where rustup keeps its toolchains, which it cannot find by itself under another HOME; null where there are none. */
export function findRustupHome(): string | null {
  const home = personHome();
  if (home === null) return null;
  const path = join(home, '.rustup');
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : null;
}

function programDirectories(): string[] {
  return [...nodeDirectories, ...systemDirectories, ...rustDirectories()];
}

/** Of the Node that runs the engine. Inside Electron that is none, so there the system's Node has to do. */
const nodeDirectories = 'electron' in process.versions ? [] : [dirname(process.execPath)];

function rustDirectories(): string[] {
  const home = personHome();
  return home === null ? [] : [join(home, '.cargo', 'bin')];
}

/** From the account, not from the environment: HOME may point anywhere. */
function personHome(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
