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
  if (name === 'node' && nodeDirectory !== null) return process.execPath;
  const directories = rustPrograms.has(name) ? [...systemDirectories, ...rustDirectories()] : systemDirectories;
  return directories.map((directory) => join(directory, name)).find(isExecutable) ?? null;
}

/** The PATH of children: finds the same programs by the same names. */
export function toProgramPath(): string {
  return [...(nodeDirectory === null ? [] : [nodeDirectory]), ...systemDirectories, ...rustDirectories()].join(':');
}

/** Where rustup keeps its toolchains, which it cannot find by itself under another HOME; null where there are none. */
export function findRustupHome(): string | null {
  const home = personHome();
  if (home === null) return null;
  const path = join(home, '.rustup');
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : null;
}

/** Inside Electron the running executable is not Node, so there the system's Node has to do. */
const nodeDirectory = 'electron' in process.versions ? null : dirname(process.execPath);

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
