import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeToolchains } from './describe-toolchains.ts';
import { findBarrier } from './find-barrier.ts';
import { findNode } from './find-node.ts';
import { findToolchains, listToolchains } from './find-toolchains.ts';
import type { Toolchain, ToolchainName } from './toolchain.ts';

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

/** The home of an account that has installed things. */
let home = '';
beforeEach(async () => {
  home = realpathSync(await mkdtemp(join(tmpdir(), 'toolchains-')));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function put(path: string, text = ''): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: text === '' ? 0o755 : 0o644 });
  return file;
}

/** What lies in the account's own home, not what the system has. */
function ownOf(name: ToolchainName): Toolchain | undefined {
  return listToolchains(home)
    .flat()
    .find((toolchain) => toolchain.name === name && toolchain.program.startsWith(home));
}

describe('Rust', () => {
  const stable = `.rustup/toolchains/stable-${machine}-unknown-linux-gnu`;
  const nightly = `.rustup/toolchains/nightly-${machine}-unknown-linux-gnu`;

  beforeEach(() => {
    put(`${stable}/bin/rustc`);
    put(`${nightly}/bin/rustc`);
  });

  it('is the one toolchain that rustup runs by default, and neither its proxies nor another toolchain', () => {
    put('.cargo/bin/rustc');
    put('.rustup/settings.toml', `version = "12"\ndefault_toolchain = "nightly-${machine}-unknown-linux-gnu"\n`);
    const directory = join(home, nightly);
    expect(ownOf('rust')).toEqual({
      name: 'rust',
      program: join(directory, 'bin', 'rustc'),
      path: [join(directory, 'bin')],
      mounts: [{ source: directory, target: directory }],
      caches: [],
      environment: { CARGO_NET_OFFLINE: 'true' },
      scratch: { CARGO_HOME: 'cargo' },
    });
  });

  it('is found for this machine by a default that names none', () => {
    put('.rustup/settings.toml', 'default_toolchain = "stable"\n');
    expect(ownOf('rust')?.program).toBe(join(home, stable, 'bin', 'rustc'));
  });

  it.each(['', 'default_toolchain = "beta"\n', 'default_toolchain = "../stable"\n', 'default_toolchain = 3\n'])(
    'is none of several where the settings say %j',
    (settings) => {
      put('.rustup/settings.toml', settings === '' ? '#' : settings);
      expect(ownOf('rust')).toBeUndefined();
    },
  );

  it('is where a linked toolchain really lies', () => {
    put('built/stage1/bin/rustc');
    symlinkSync(join(home, 'built', 'stage1'), join(home, '.rustup', 'toolchains', 'mine'));
    put('.rustup/settings.toml', 'default_toolchain = "mine"\n');
    expect(ownOf('rust')?.path).toEqual([join(home, 'built', 'stage1', 'bin')]);
  });

  it('brings downloaded crates along, and not the tokens that lie beside them', () => {
    put('.rustup/settings.toml', 'default_toolchain = "stable"\n');
    put('.cargo/credentials.toml', 'token = "x"');
    put('.cargo/registry/cache/crate');
    const rust = ownOf('rust');
    expect(rust?.caches).toEqual([{ source: join(home, '.cargo', 'registry'), below: 'cargo/registry' }]);
    expect(JSON.stringify(rust)).not.toContain('credentials');
  });
});

describe('Python', () => {
  const settings = { caches: [], environment: { PYTHONDONTWRITEBYTECODE: '1' }, scratch: {} };

  it("is the version that pyenv's shim runs, at its own place", () => {
    for (const version of ['3.9.1', '3.12.1']) put(`.pyenv/versions/${version}/bin/python3`);
    put('.pyenv/shims/python3');
    put('.pyenv/version', '3.12.1\n3.9.1\n');
    const directory = join(home, '.pyenv', 'versions', '3.12.1');
    expect(ownOf('python')).toEqual({
      name: 'python',
      program: join(directory, 'bin', 'python3'),
      path: [join(directory, 'bin')],
      mounts: [{ source: directory, target: directory }],
      ...settings,
    });
  });

  it('brings along what a virtual environment was made from', () => {
    const base = join(home, '.pyenv', 'versions', '3.12.1');
    put('.pyenv/versions/3.12.1/bin/python3');
    put('.pyenv/versions/web/pyvenv.cfg', `home = ${base}/bin\nversion = 3.12.1\n`);
    const directory = join(home, '.pyenv', 'versions', 'web');
    mkdirSync(join(directory, 'bin'));
    symlinkSync(join(base, 'bin', 'python3'), join(directory, 'bin', 'python3'));
    put('.pyenv/version', 'web\n');
    expect(ownOf('python')).toMatchObject({
      program: join(base, 'bin', 'python3'),
      path: [join(directory, 'bin')],
      mounts: [directory, base].map((source) => ({ source, target: source })),
    });
  });

  it.each(['system\n', '3.13\n', '../../elsewhere\n', '.\n', ' '])(
    'is none of pyenv where its choice is %j',
    (version) => {
      put('.pyenv/versions/3.12.1/bin/python3');
      put('elsewhere/bin/python3');
      put('.pyenv/version', version);
      expect(ownOf('python')).toBeUndefined();
    },
  );
});

describe('Node', () => {
  it('is the one that runs the engine, with no more than its directory', () => {
    const program = put('anywhere/bin/node');
    const directory = dirname(program);
    expect(findNode(program)[0]).toEqual({
      name: 'node',
      program,
      path: [directory],
      mounts: [{ source: directory, target: directory }],
      caches: [],
      environment: {},
      scratch: {},
    });
  });

  it('brings along the installation where npm lies beside it', () => {
    const program = put('nvm/v24.1.0/bin/node');
    put('nvm/v24.1.0/lib/node_modules/npm/package.json');
    const installation = join(home, 'nvm', 'v24.1.0');
    expect(findNode(program)[0]?.mounts).toEqual([{ source: installation, target: installation }]);
  });
});

describe('Go', () => {
  it('reads the modules that were downloaded and fetches none', () => {
    put('go/pkg/mod/cache/module');
    const go = listToolchains(home)
      .flat()
      .find(({ name }) => name === 'go');
    if (go === undefined) return expect(findToolchains().map(({ name }) => name)).not.toContain('go');
    expect(go).toMatchObject({
      environment: { GOPROXY: 'off', GOTOOLCHAIN: 'local' },
      scratch: { GOPATH: 'go', GOCACHE: 'go-cache' },
      caches: [{ source: join(home, 'go', 'pkg', 'mod'), below: 'go/pkg/mod' }],
    });
  });
});

describe('choosing among toolchains', () => {
  it('prefers what the account has, and finds no account a reason to fail', () => {
    put('.pyenv/versions/3.12.1/bin/python3');
    put('.pyenv/version', '3.12.1\n');
    const [python] = listToolchains(home)
      .flat()
      .filter(({ name }) => name === 'python');
    expect(python?.program).toContain(home);
    expect(
      listToolchains(null)
        .flat()
        .every(({ program }) => !program.startsWith(home)),
    ).toBe(true);
  });

  it('survives files that cannot be read for what they should be', () => {
    mkdirSync(join(home, '.pyenv', 'version'), { recursive: true });
    mkdirSync(join(home, '.rustup', 'settings.toml'), { recursive: true });
    put('.rustup/toolchains', 'no directory');
    put('.cargo/registry', 'no directory');
    expect([ownOf('rust'), ownOf('python')]).toEqual([undefined, undefined]);
  });

  it('tells of each the program that really runs and what is shown to commands', () => {
    put('.pyenv/versions/3.12.1/bin/python3');
    put('.pyenv/version', '3.12.1\n');
    const directory = join(home, '.pyenv', 'versions', '3.12.1');
    const python = ownOf('python');
    expect(describeToolchains(python === undefined ? [] : [python])).toEqual([
      { name: 'python', program: join(directory, 'bin', 'python3'), mounts: [directory] },
    ]);
  });

  it('gives everybody only what everybody can get at', () => {
    const open = findToolchains('everybody');
    expect(open.flatMap(({ mounts }) => mounts).map(({ source }) => findBarrier(source))).not.toContainEqual(
      expect.any(String),
    );
    expect(findToolchains('engine').map(({ name }) => name)).toEqual(
      expect.arrayContaining(open.map(({ name }) => name)),
    );
  });
});
