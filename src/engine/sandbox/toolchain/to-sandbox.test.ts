import { describe, expect, it } from 'vitest';
import { toSandboxEnvironment } from './to-sandbox-environment.ts';
import { toSandboxMounts } from './to-sandbox-mounts.ts';
import { createToolchain } from './toolchain.ts';

const own = (source: string) => ({ source, target: source });
const rust = createToolchain({
  name: 'rust',
  program: '/home/ada/rust/bin/rustc',
  path: ['/home/ada/rust/bin'],
  mounts: [own('/home/ada/rust')],
  caches: [{ source: '/home/ada/.cargo/registry', below: 'cargo/registry' }],
  environment: { CARGO_NET_OFFLINE: 'true' },
  scratch: { CARGO_HOME: 'cargo' },
});
const go = createToolchain({ name: 'go', program: '/usr/lib/go/bin/go', path: ['/usr/lib/go/bin', '/usr/bin'] });

describe('the environment of commands', () => {
  it('holds what the sandbox and its toolchains need, and nothing of the engine', () => {
    process.env.OPENROUTER_API_KEY = 'never-passed-on';
    try {
      expect(toSandboxEnvironment([rust, go])).toEqual({
        PATH: '/home/ada/rust/bin:/usr/lib/go/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin',
        HOME: '/tmp',
        TMPDIR: '/tmp',
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        CI: '1',
        NO_COLOR: '1',
        CARGO_NET_OFFLINE: 'true',
        CARGO_HOME: '/tmp/cargo',
      });
    } finally {
      delete process.env.OPENROUTER_API_KEY;
    }
  });

  it('keeps what toolchains write below the temporary directory, wherever that is', () => {
    const { HOME, TMPDIR, CARGO_HOME } = toSandboxEnvironment([rust], { home: '/private/h', temporary: '/private/t' });
    expect({ HOME, TMPDIR, CARGO_HOME }).toEqual({
      HOME: '/private/h',
      TMPDIR: '/private/t',
      CARGO_HOME: '/private/t/cargo',
    });
  });
});

describe('what commands see beside the system', () => {
  it('comes with the shortest path first, so that one can lie in another', () => {
    const extra = [{ source: '/data/rust-docs', target: '/home/ada/rust/share/doc' }, own('/opt')];
    expect(toSandboxMounts([rust, go], extra).map(({ target }) => target)).toEqual([
      '/opt',
      '/home/ada/rust',
      '/tmp/cargo/registry',
      '/home/ada/rust/share/doc',
    ]);
  });

  it('is at one place what the person put there, when a toolchain would be there too', () => {
    const mine = { source: '/data/registry', target: '/tmp/cargo/registry' };
    expect(toSandboxMounts([rust], [mine])).toEqual([own('/home/ada/rust'), mine]);
  });

  it('has downloads below the temporary directory, wherever that is', () => {
    expect(toSandboxMounts([rust], [], '/private/t')).toContainEqual({
      source: '/home/ada/.cargo/registry',
      target: '/private/t/cargo/registry',
    });
  });
});
