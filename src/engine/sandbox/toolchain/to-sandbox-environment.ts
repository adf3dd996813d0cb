// The environment of commands, built from nothing: no variable of the engine's own can reach one.
import { join } from 'node:path';
import { systemDirectories } from '../../process/find-system-program.ts';
import type { Toolchain } from './toolchain.ts';

export interface SandboxPlaces {
  readonly home: string;
  readonly temporary: string;
}

/** Names and values; everything a toolchain would keep in a home lies below the temporary directory. */
export function toSandboxEnvironment(
  toolchains: readonly Toolchain[],
  { home, temporary }: SandboxPlaces = { home: '/tmp', temporary: '/tmp' },
): Record<string, string> {
  const scratch = toolchains.flatMap((toolchain) => Object.entries(toolchain.scratch));
  return {
    PATH: toProgramDirectories(toolchains).join(':'),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    ...Object.assign({}, ...toolchains.map(({ environment }) => environment)),
    ...Object.fromEntries(scratch.map(([name, below]) => [name, join(temporary, below)])),
  };
}

/** Where a bare name is looked for, in this order. */
export function toProgramDirectories(toolchains: readonly Toolchain[]): readonly string[] {
  return [...new Set([...toolchains.flatMap(({ path }) => path), ...systemDirectories])];
}
