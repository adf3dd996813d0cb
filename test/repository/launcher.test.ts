import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const launcher = join(import.meta.dirname, '../../bin/io-studio');

describe('bin/io-studio', () => {
  let folder: string;
  let root: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'launcher-'));
    root = join(folder, 'a path with spaces');
    mkdirSync(join(root, 'bin'), { recursive: true });
    copyFileSync(launcher, join(root, 'bin/io-studio'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function build(): void {
    mkdirSync(join(root, 'out/main'), { recursive: true });
    const program =
      'console.log(JSON.stringify([process.pid, process.argv.slice(2), process.execArgv])); setInterval(() => {}, 1000);';
    writeFileSync(join(root, 'out/main/cli.js'), program);
  }

  function provideNode(directory: string, version?: string): void {
    mkdirSync(directory, { recursive: true });
    const node = join(directory, 'node');
    if (version === undefined) symlinkSync(process.execPath, node);
    else writeFileSync(node, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  }

  it('says what to run before setup, and ends with code 2', () => {
    const { status, stdout, stderr } = spawnSync(join(root, 'bin/io-studio'), ['run'], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `io-studio: not built yet: run ./scripts/setup in ${root}\n`,
    });
  });

  it.each([
    ['the pinned Node of its own checkout', 'node_modules/.bin'],
    ['the Node of the project it is installed in', '../.bin'],
  ])('becomes the engine on %s, through links and with every argument whole', async (_title, place) => {
    build();
    provideNode(join(root, place));
    symlinkSync(join(root, 'bin/io-studio'), join(folder, 'first'));
    symlinkSync('first', join(folder, 'second'));
    const child = spawn(join(folder, 'second'), ['run', 'two words', ''], { env: { PATH: '/usr/bin:/bin' } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const ended = await once(child, 'exit');
    expect({ said: JSON.parse(String(line)), ended }).toEqual({
      said: [child.pid, ['run', 'two words', ''], ['--liftoff-only']],
      ended: [null, 'SIGTERM'],
    });
  });

  it('refuses an older Node of the host', () => {
    build();
    provideNode(join(folder, 'host'), 'v20.20.2');
    const env = { PATH: `${join(folder, 'host')}:/usr/bin:/bin` };
    const { status, stdout, stderr } = spawnSync(join(root, 'bin/io-studio'), [], { env, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `io-studio: Node 24 needed: run ./scripts/setup in ${root}, or put a Node 24 first on the PATH\n`,
    });
  });
});
