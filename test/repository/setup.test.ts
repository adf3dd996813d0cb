import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/setup');

/** Stands in for npm: notes what it was asked for, and leaves behind what a real installation and build leave. */
const npm = `#!/bin/sh
echo "$1 $2" >> npm-calls
case $1 in
  ci) mkdir -p node_modules/.bin && printf '#!/bin/sh\\necho %s\\n' "$INSTALLED_NODE" > node_modules/.bin/node &&
      chmod +x node_modules/.bin/node ;;
  run) [ ! -f broken ] && mkdir -p out ;;
esac
`;

describe('scripts/setup', () => {
  let folder: string;
  let root: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'setup-'));
    root = join(folder, 'a path with spaces');
    write('scripts/setup', '');
    copyFileSync(script, join(root, 'scripts/setup'));
    for (const file of ['package.json', 'package-lock.json', 'electron.vite.config.ts', 'src/a.ts']) write(file, file);
    for (const file of ['tsconfig.base.json', 'tsconfig.types.json', 'src/a.test.ts']) write(file, file);
    write('../host/npm', npm, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(file: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { mode });
  }

  /** What one more setup, started from another directory, asked npm for. */
  function setUp(options: { readonly command?: string; readonly node?: string } = {}) {
    rmSync(join(root, 'npm-calls'), { force: true });
    const env = { PATH: `${join(folder, 'host')}:/usr/bin:/bin`, INSTALLED_NODE: options.node ?? 'v24.21.0' };
    const words = options.command === undefined ? [] : [options.command];
    const { status, stderr } = spawnSync('bash', [join(root, 'scripts/setup'), ...words], {
      cwd: '/',
      env,
      encoding: 'utf8',
    });
    return { status, calls: readCalls(), said: stderr.trimEnd() };
  }

  function readCalls(): string[] {
    try {
      return readFileSync(join(root, 'npm-calls'), 'utf8').trimEnd().split('\n');
    } catch {
      return [];
    }
  }

  const nothing = { status: 0, calls: [], said: '' };
  const built = { status: 0, calls: ['run --silent'], said: 'setup: building' };

  it('installs and builds once, and then has nothing left to do or to say', () => {
    expect([setUp(), setUp(), setUp({ command: 'demo' })]).toEqual([
      { status: 0, calls: ['ci --include=dev', 'run --silent'], said: 'setup: installing packages\nsetup: building' },
      nothing,
      nothing,
    ]);
  });

  it('installs again when the lock file changes', () => {
    setUp();
    write('package-lock.json', 'changed');
    expect(setUp()).toMatchObject({ status: 0, calls: ['ci --include=dev', 'run --silent'] });
  });

  it('builds again when a source changes, and not when a test or only a date does', () => {
    setUp();
    write('src/a.test.ts', 'changed');
    write('src/a.ts', 'src/a.ts');
    expect(setUp()).toEqual(nothing);
    write('src/b.ts', 'new');
    expect(setUp()).toEqual(built);
  });

  it('does not take a build that failed for a build', () => {
    write('broken', '');
    expect(setUp()).toMatchObject({ status: 1, said: 'setup: installing packages\nsetup: building' });
    rmSync(join(root, 'broken'));
    expect([setUp(), setUp()]).toEqual([built, nothing]);
  });

  it('asks for Node 24 where there is no packaged one', () => {
    expect(setUp({ node: 'v20.20.2' })).toEqual({
      status: 2,
      calls: ['ci --include=dev'],
      said: expect.stringMatching(/^setup: installing packages\nsetup: Node 24 needed: .* install Node 24 .*$/),
    });
  });

  it('refuses a command that it does not know', () => {
    expect(setUp({ command: 'everything' })).toEqual({
      status: 2,
      calls: [],
      said: "setup: unknown command 'everything'. Usage: ./scripts/setup [demo|test]",
    });
  });
});
