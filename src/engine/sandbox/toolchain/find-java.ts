// Java: the system's. Debian keeps the settings that its virtual machine cannot start without in a directory of /etc.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSystemProgram } from '../../process/find-system-program.ts';
import { isBelowUsr } from './is-below-usr.ts';
import { isDirectory, listDirectory } from './list-directory.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

export function findJava(): readonly Toolchain[] {
  const path = findSystemProgram('javac') ?? findSystemProgram('java');
  if (path === null) return [];
  const program = realpathSync(path);
  const home = dirname(dirname(program));
  const sources = [...(isBelowUsr(home) ? [] : [home]), ...findSettings()];
  const mounts = sources.map((source) => ({ source, target: source }));
  return [createToolchain({ name: 'java', program, mounts, environment: { JAVA_HOME: home } })];
}

function findSettings(): string[] {
  const names = listDirectory('/etc').filter((name) => /^java(-|$)/.test(name));
  return names.map((name) => join('/etc', name)).filter(isDirectory);
}
