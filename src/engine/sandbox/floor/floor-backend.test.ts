import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOwnTag } from '../../process/owner-tag.ts';
import { spawnProcess } from '../../process/spawn-process.ts';
import { openPrivateBase } from '../ownership/private-base.ts';
import { defaultLimits, type SandboxDirectory, type SandboxLimits, type SandboxResult } from '../sandbox.ts';
import { toSandbox } from '../to-sandbox.ts';
import { createFloorBackend } from './floor-backend.ts';

const sandbox = toSandbox(createFloorBackend());
const isRoot = process.getuid?.() === 0;
const empty: SandboxDirectory = { mode: 'ephemeral', files: [], collect: [] };

let workspace = '';
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'floor-backend-'));
});
afterEach(() => rm(workspace, { recursive: true }));

interface Options {
  readonly directory?: SandboxDirectory;
  readonly limits?: Partial<SandboxLimits>;
  readonly environment?: Readonly<Record<string, string>>;
}

function run(
  argv: readonly [string, ...string[]],
  { directory = empty, limits = {}, environment = {} }: Options = {},
): Promise<SandboxResult> {
  const spec = { argv, directory, environment, limits: { ...defaultLimits, wallMs: 20_000, ...limits } };
  return sandbox.run(spec, new AbortController().signal);
}

const shell = (line: string, options?: Options) => run(['sh', '-c', line], options);

function outputOf(result: SandboxResult): string {
  return result.kind === 'not-started' ? result.reason : result.stdout.text;
}

describe('a command at the floor', () => {
  it('says everything about one that ran', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      kind: 'exit',
      code: 3,
      isolation: 'none',
      stdout: { text: 'out\n', droppedBytes: 0 },
      stderr: { text: 'err\n', droppedBytes: 0 },
      durationMs: expect.any(Number),
      leavings: { kind: 'files', files: new Map() },
      survivors: 0,
    });
  });

  it('is cancelled while it runs', async () => {
    const abort = new AbortController();
    const spec = { argv: ['sleep', '600'], directory: empty, environment: {}, limits: defaultLimits } as const;
    const running = sandbox.run(spec, abort.signal);
    setImmediate(() => abort.abort());
    expect((await running).kind).toBe('cancelled');
  });

  it.each<[string, readonly [string, ...string[]], Partial<SandboxLimits>, object]>([
    ['processor time', ['sh', '-c', 'while :; do :; done'], { cpuMs: 1000 }, { cap: 'cpu', limit: 1000 }],
    [
      'the size of a file',
      ['dd', 'if=/dev/zero', 'of=big', 'bs=1024', 'count=64'],
      { fileBytes: 4096 },
      { cap: 'file', enforcement: 'kernel' },
    ],
  ])('is ended by the kernel at its limit on %s', async (_title, argv, limits, hit) => {
    expect(await run(argv, { limits })).toMatchObject({ kind: 'cap', hit });
  });

  it.each<[string, string, SandboxDirectory['mode']]>([
    ['many files', 'for i in $(seq 64); do head -c 1048576 /dev/zero > $i; done', 'ephemeral'],
    ['files in its copy of the workspace', 'for i in $(seq 64); do head -c 1048576 /dev/zero > $i; done', 'staged'],
    ['files in its home', 'cd; for i in $(seq 64); do head -c 1048576 /dev/zero > $i; done', 'ephemeral'],
    ['files without content', 'i=0; while [ $i -lt 6000 ]; do i=$((i+1)); : > $i; done', 'ephemeral'],
  ])('is ended when it has written too much: %s', async (_title, line, mode) => {
    const directory: SandboxDirectory = mode === 'ephemeral' ? empty : { mode: 'staged', workspace, hidden: [] };
    const result = await shell(`${line}; sleep 600`, { directory, limits: { diskBytes: 4 * 1024 ** 2 } });
    expect(result).toMatchObject({
      kind: 'cap',
      hit: { cap: 'disk', limit: 4 * 1024 ** 2, unit: 'bytes', enforcement: 'polled' },
      leavings: { kind: 'nothing' },
      survivors: 0,
    });
    expect((await readdir(openPrivateBase())).filter((name) => name.startsWith(readOwnTag()))).toEqual([]);
  });

  it.runIf(isRoot)('is ended before the kernel starts no more processes for it (needs root)', async () => {
    const line = 'i=0; while [ $i -lt 40 ]; do i=$((i+1)); sleep 600 & done; wait';
    expect(await shell(line, { limits: { processes: 12 } })).toMatchObject({
      kind: 'cap',
      hit: { cap: 'processes', limit: 12, enforcement: 'polled' },
    });
  });

  it.runIf(isRoot)('runs as a user that nobody else is, in no group of the engine (needs root)', async () => {
    const [one, other] = await Promise.all([shell('id -u; id -G; sleep 0.2'), shell('id -u; id -G; sleep 0.2')]);
    const users = [outputOf(one), outputOf(other)].map((text) => text.trim().split('\n'));
    for (const [user, groups] of users) {
      expect(user).toBe(groups);
      expect(Number(user)).toBeGreaterThanOrEqual(61184);
    }
    expect(users[0]).not.toEqual(users[1]);
  });

  it.runIf(process.platform === 'linux')('has no file open that its engine was started with (needs Linux)', () => {
    const script = `
      import { createFloorBackend } from '${import.meta.dirname}/floor-backend.ts';
      import { toSandbox } from '${import.meta.dirname}/../to-sandbox.ts';
      import { defaultLimits } from '${import.meta.dirname}/../sandbox.ts';
      const argv = ['sh', '-c', 'for each in /proc/self/fd/*; do readlink $each; done'];
      const directory = { mode: 'ephemeral', files: [], collect: [] };
      const spec = { argv, directory, environment: {}, limits: defaultLimits };
      const result = await toSandbox(createFloorBackend()).run(spec, new AbortController().signal);
      console.log(result.stdout.text);`;
    const descriptor = openSync('/etc/passwd', 'r');
    // The first few are closed by the runtime itself.
    const stdio = Array.from({ length: 30 }, (_, each) =>
      each % 10 === 9 ? descriptor : each === 1 ? 'pipe' : 'ignore',
    );
    const engine = spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio, encoding: 'utf8' });
    closeSync(descriptor);
    expect(engine.stdout).toContain('/dev/null');
    expect(engine.stdout).not.toContain('passwd');
  });

  it.runIf(process.platform === 'linux')('gains no rights from what it starts (needs Linux)', async () => {
    expect(outputOf(await shell('grep NoNewPrivs /proc/self/status'))).toBe('NoNewPrivs:\t1\n');
  });
});

describe('what never starts at the floor', () => {
  const missing = 'there is no such executable program';
  it.each([
    ['a bare name that no program has', 'no-such-program', missing],
    ['a path where nothing is', '/nowhere/program', missing],
    ['a relative path', './program', missing],
    ['something that is no program', '/etc/passwd', missing],
  ])('is %s', async (_title, program, reason) => {
    expect(await run([program])).toEqual({ kind: 'not-started', program, stage: 'program', reason });
  });

  it('is a script whose interpreter is missing', async () => {
    const files = [{ path: 'script', bytes: Buffer.from('#!/nowhere/python\n'), mode: 0o755 }] as const;
    expect(await run(['./script'], { directory: { mode: 'ephemeral', files, collect: [] } })).toEqual({
      kind: 'not-started',
      program: './script',
      stage: 'program',
      reason: 'its interpreter /nowhere/python is missing',
    });
  });

  it('is a command in a missing directory', async () => {
    const directory: SandboxDirectory = { mode: 'bound', workspace: '/nowhere', hidden: [] };
    expect(await run(['true'], { directory })).toMatchObject({
      kind: 'not-started',
      stage: 'directory',
      reason: 'there is no directory /nowhere',
    });
  });

  it.runIf(isRoot)('is a program that is shut to the user it would run as (needs root)', async () => {
    const program = join(workspace, 'program');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
    expect(await run([program])).toMatchObject({ kind: 'not-started', stage: 'toolchain', program });
  });
});

describe('what a command at the floor is given', () => {
  it('has a private home and temporary directory, which are gone afterwards', async () => {
    const result = await shell('cd "$HOME" && pwd && touch left && cd "$TMPDIR" && pwd && mkdir shut && chmod 0 shut');
    const paths = outputOf(result).trim().split('\n');
    expect(paths).toHaveLength(2);
    for (const path of paths) await expect(readdir(path)).rejects.toThrow('ENOENT');
  });

  it('removes its home without following links out of it', async () => {
    await writeFile(join(workspace, 'kept'), 'x');
    await chmod(workspace, 0o777);
    await shell(`ln -s "${workspace}" "$HOME/link"`);
    expect(await readdir(workspace)).toEqual(['kept']);
  });

  it('cannot have its PATH or HOME set from outside', async () => {
    const environment = { PATH: '/evil', HOME: '/evil', EXTRA: 'given' };
    const text = outputOf(await shell('echo "$PATH:$HOME:$EXTRA"', { environment }));
    expect(text).toMatch(/:given\n$/);
    expect(text).not.toContain('evil');
  });

  it('has the files of its box, and gives back those regular ones that are asked for', async () => {
    const files = [{ path: 'sub/in', bytes: Buffer.from('in'), mode: 0o644 }] as const;
    const collect = ['sub/out', 'link', 'missing', 'sub'];
    const line = 'cat sub/in; echo out > sub/out; ln -s /etc/passwd link';
    const result = await shell(line, { directory: { mode: 'ephemeral', files, collect } });
    expect(result).toMatchObject({
      stdout: { text: 'in' },
      leavings: { kind: 'files', files: new Map([['sub/out', Buffer.from('out\n')]]) },
    });
  });

  it('is a copy of the workspace without what is hidden, and its changes are made nowhere else', async () => {
    await writeFile(join(workspace, 'kept'), 'old\n');
    await writeFile(join(workspace, 'secret'), 'key\n');
    const line = 'cat secret; echo new > kept; echo made > made';
    const result = await shell(line, { directory: { mode: 'staged', workspace, hidden: ['secret'] } });
    const file = (text: string) => ({ kind: 'file', bytes: Buffer.from(text), mode: expect.any(Number) });
    expect(result).toMatchObject({
      kind: 'exit',
      stdout: { text: '' },
      leavings: {
        kind: 'changes',
        changes: [
          { path: 'kept', before: file('old\n'), after: file('new\n') },
          { path: 'made', before: null, after: file('made\n') },
        ],
        lost: [],
      },
    });
    expect((await readdir(workspace)).sort()).toEqual(['kept', 'secret']);
  });

  it('takes nothing over from a command that was ended from here', async () => {
    const directory: SandboxDirectory = { mode: 'staged', workspace, hidden: [] };
    const result = await shell('echo made > made; sleep 600', { directory, limits: { wallMs: 500 } });
    expect(result).toMatchObject({ kind: 'cap', leavings: { kind: 'nothing' } });
    expect(await readdir(workspace)).toEqual([]);
  });

  it.runIf(isRoot)('is not a workspace that belongs to somebody else (needs root)', async () => {
    const directory: SandboxDirectory = { mode: 'bound', workspace, hidden: [] };
    expect(await run(['true'], { directory })).toMatchObject({ kind: 'not-started', stage: 'directory' });
  });

  it.runIf(isRoot)(
    'is the workspace itself to an engine that is not the superuser (needs root to be another)',
    async () => {
      await chown(workspace, 12_345, 12_345);
      const script = `
      import { createFloorBackend } from '${import.meta.dirname}/floor-backend.ts';
      import { toSandbox } from '${import.meta.dirname}/../to-sandbox.ts';
      import { defaultLimits } from '${import.meta.dirname}/../sandbox.ts';
      const directory = { mode: 'bound', workspace: process.argv[1], hidden: ['secret'] };
      const spec = { argv: ['sh', '-c', 'id -u; echo made > made'], directory, environment: {}, limits: defaultLimits };
      const result = await toSandbox(createFloorBackend()).run(spec, new AbortController().signal);
      console.log(JSON.stringify(result));`;
      let text = '';
      const argv = ['/usr/bin/setpriv', '--reuid=12345', '--regid=12345', '--clear-groups', process.execPath] as const;
      await spawnProcess({
        argv: [...argv, '--input-type=module', '-e', script, '--', workspace],
        directory: '/',
        environment: {},
        signal: new AbortController().signal,
        wallMs: 20_000,
        onStdout: (chunk) => {
          text += Buffer.from(chunk).toString();
        },
        onStderr: (chunk) => {
          text += Buffer.from(chunk).toString();
        },
      });
      expect(JSON.parse(text)).toMatchObject({ kind: 'exit', code: 0, stdout: { text: '12345\n' } });
      expect(await readFile(join(workspace, 'made'), 'utf8')).toBe('made\n');
    },
  );
});
