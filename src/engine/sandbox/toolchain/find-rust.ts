// Rust: the one toolchain of rustup that is the person's default, by its own directory, so that neither rustup's proxies nor
// its settings are needed. What a workspace asks for in a file of its own is not looked at.
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findSystemProgram } from '../../process/find-system-program.ts';
import { isExecutableFile } from '../../process/is-executable-file.ts';
import { isDirectory, listDirectory } from './list-directory.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

export function findRust(home: string | null): readonly Toolchain[] {
  const settings = {
    environment: { CARGO_NET_OFFLINE: 'true' },
    scratch: { CARGO_HOME: 'cargo' },
    caches: home === null ? [] : findRegistry(home),
  };
  const directory = home === null ? null : findRustupToolchain(join(home, '.rustup'));
  const system = findSystemProgram('rustc');
  return [
    ...(directory === null ? [] : [createToolchain({ ...toOwn(directory), ...settings })]),
    ...(system === null ? [] : [createToolchain({ name: 'rust', program: realpathSync(system), ...settings })]),
  ];
}

function toOwn(directory: string): Pick<Toolchain, 'name' | 'program' | 'path' | 'mounts'> {
  const path = join(directory, 'bin');
  return {
    name: 'rust',
    program: join(path, 'rustc'),
    path: [path],
    mounts: [{ source: directory, target: directory }],
  };
}

function findRustupToolchain(rustupHome: string): string | null {
  const toolchains = join(rustupHome, 'toolchains');
  const names = listDirectory(toolchains);
  const name = chooseToolchain(names, readDefault(join(rustupHome, 'settings.toml')));
  if (name === null || !isExecutableFile(join(toolchains, name, 'bin', 'rustc'))) return null;
  // A linked toolchain is a link to where somebody builds it.
  return realpathSync(join(toolchains, name));
}

/** A default without the machine it is for, `stable`, means the one for this machine, `stable-x86_64-unknown-linux-gnu`. */
function chooseToolchain(names: readonly string[], wanted: string | null): string | null {
  if (wanted === null) return names.length === 1 ? (names[0] ?? null) : null;
  if (names.includes(wanted)) return wanted;
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return names.find((name) => name.startsWith(`${wanted}-${machine}-`)) ?? null;
}

function readDefault(file: string): string | null {
  try {
    return /^\s*default_toolchain\s*=\s*"([^"/\\]+)"/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Downloaded crates and nothing beside them: the directory above holds the person's tokens. */
function findRegistry(home: string): Toolchain['caches'] {
  const source = join(home, '.cargo', 'registry');
  return isDirectory(source) ? [{ source: realpathSync(source), below: 'cargo/registry' }] : [];
}
