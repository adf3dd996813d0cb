import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { readProgramOutput } from '../../process/read-program-output.ts';
import { defaultLimits, type SandboxDirectory, type SandboxLimits, type SandboxResult } from '../sandbox.ts';
import { toSandbox } from '../to-sandbox.ts';
import { createSeatbeltBackend } from './seatbelt-backend.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'seatbelt-')));
afterAll(() => rmSync(base, { recursive: true }));
chmodSync(base, 0o755);

/** Stands for `sandbox-exec` where there is none: takes its options and encloses nothing. */
const standIn = writeProgram('stand-in', 'shift 2; exec "$@"');
const empty: SandboxDirectory = { mode: 'ephemeral', files: [], collect: [] };

function writeProgram(name: string, lines: string): string {
  const path = join(base, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

interface Options {
  readonly sandboxExec?: string;
  readonly directory?: SandboxDirectory;
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
}

function run(argv: readonly [string, ...string[]], options: Options = {}): Promise<SandboxResult> {
  const { sandboxExec = standIn, directory = empty, limits, signal = new AbortController().signal } = options;
  const sandbox = toSandbox(createSeatbeltBackend({ sandboxExec, toolchains: [], extraMounts: [] }));
  const spec = {
    argv,
    directory,
    environment: { GIVEN: 'yes' },
    limits: { ...defaultLimits, wallMs: 20_000, ...limits },
  };
  return sandbox.run(spec, signal);
}

const shell = (line: string, options?: Options) => run(['sh', '-c', line], options);

async function makeWorkspace(name: string): Promise<string> {
  const workspace = join(base, name);
  await mkdir(join(workspace, 'inner'), { recursive: true });
  await writeFile(join(workspace, 'inner/secret'), 'secret\n');
  await writeFile(join(workspace, 'plain'), 'plain\n');
  chmodSync(workspace, 0o777);
  return workspace;
}

describe.skipIf(process.platform === 'win32')('a command that is launched into Seatbelt', () => {
  it('says everything about its end, and nothing of the words it began with', async () => {
    expect(await shell('echo out $GIVEN; echo err >&2; exit 3')).toEqual({
      kind: 'exit',
      code: 3,
      isolation: 'seatbelt',
      stdout: { text: 'out yes\n', droppedBytes: 0 },
      stderr: { text: 'err\n', droppedBytes: 0 },
      durationMs: expect.any(Number),
      leavings: { kind: 'files', files: new Map() },
      survivors: 0,
    });
  });

  it('finds the channel closed by which it began', async () => {
    expect(await shell('( echo more >&3 ) 2>/dev/null || echo closed')).toMatchObject({ stdout: { text: 'closed\n' } });
  });

  it('keeps the exit codes that sandbox-exec has for its own failures', async () => {
    expect(await shell('exit 65')).toMatchObject({ kind: 'exit', code: 65 });
  });

  it('runs under the profile of its directories, which lies where it cannot change it', async () => {
    const sandboxExec = writeProgram('shows-profile', 'cat "$2"; echo "at $2"; shift 2; exec "$@"');
    const result = await shell('echo "in $PWD"', { sandboxExec });
    if (result.kind !== 'exit') throw new Error(JSON.stringify(result));
    const [, at = '', place = ''] = /^at (.*)\/profile\.sb\nin (.*)$/m.exec(result.stdout.text) ?? [];
    expect(place.startsWith(`${at}/`)).toBe(true);
    expect(result.stdout.text).toContain(`(allow file-write*\n  (subpath "${place}")\n  (subpath "${at}/tmp"))`);
  });

  it('leaves its changes to a workspace beside it', async () => {
    const workspace = await makeWorkspace('staged');
    const directory: SandboxDirectory = { mode: 'staged', workspace, hidden: ['inner/secret'] };
    const result = await shell('cat inner/secret; echo new > made', { directory });
    expect(result).toMatchObject({
      kind: 'exit',
      stdout: { text: '' },
      leavings: { kind: 'changes', changes: [{ path: 'made', before: null, after: { kind: 'file' } }], lost: [] },
    });
    expect((await readdir(workspace)).sort()).toEqual(['inner', 'plain']);
  });

  it('is ended with all that it started when it is cancelled, also what left its group', async () => {
    const abort = new AbortController();
    const pidFile = join(base, 'pids');
    writeFileSync(pidFile, '');
    chmodSync(pidFile, 0o666);
    const lines = `sleep 600 & echo $! >> ${pidFile}; exec perl -e 'use POSIX; if (fork) { sleep 600 } setsid; open F, ">>", $ARGV[0]; print F "$$\\n"; close F; sleep 600' ${pidFile}`;
    const running = shell(lines, { signal: abort.signal });
    await waitFor(() => readFileSync(pidFile, 'utf8').split('\n').length === 3);
    abort.abort();
    expect(await running).toMatchObject({ kind: 'cancelled', survivors: 0 });
    expect(readFileSync(pidFile, 'utf8').trim().split('\n').filter(isRunning)).toEqual([]);
  });

  it.each<[string, string, Partial<SandboxLimits>, object]>([
    [
      'memory',
      `perl -e '$x = "a" x 2e8; sleep 60'`,
      { memoryBytes: 100_000_000 },
      { cap: 'memory', enforcement: 'polled' },
    ],
    [
      'processes',
      'for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait',
      { processes: 6 },
      { cap: 'processes', limit: 6 },
    ],
    ['time', 'sleep 60', { wallMs: 300 }, { cap: 'wall' }],
    [
      'the size of a file',
      'exec dd if=/dev/zero of=big bs=1024 count=64',
      { fileBytes: 4096 },
      { cap: 'file', enforcement: 'kernel' },
    ],
  ])('is ended at its limit on %s', async (_title, line, limits, hit) => {
    expect(await shell(line, { limits })).toMatchObject({ kind: 'cap', hit, survivors: 0 });
  });
});

describe.skipIf(process.platform === 'win32')('what never starts in Seatbelt', () => {
  const notStarted = (program: string, stage: string, reason: string) => ({
    kind: 'not-started',
    program,
    stage,
    reason,
  });

  it('is a command that it could not enclose: that is none of its exit codes', async () => {
    const sandboxExec = writeProgram('refuses', 'echo "sandbox-exec: no version specified" >&2; exit 65');
    expect(await run(['true'], { sandboxExec })).toEqual(
      notStarted('true', 'sandbox', 'Seatbelt could not enclose it: sandbox-exec: no version specified'),
    );
  });

  it('is one of an engine that is enclosed itself, which is told what to do', async () => {
    const sandboxExec = writeProgram(
      'nested',
      'echo "sandbox-exec: sandbox_apply: Operation not permitted" >&2; exit 71',
    );
    expect(await run(['true'], { sandboxExec })).toMatchObject({
      advice: expect.stringContaining('outside of the sandbox'),
    });
  });

  it('is a program that is missing, or that no command can see', async () => {
    const outside = writeProgram('outside', 'true');
    expect([await run(['no-such-program']), await run(['./gone']), await run([outside])]).toEqual([
      notStarted('no-such-program', 'program', 'there is no such executable program'),
      notStarted('./gone', 'program', 'there is no such executable program'),
      notStarted(outside, 'program', 'it lies where no command can see it'),
    ]);
  });

  it('is one that asks for a network', async () => {
    const sandbox = toSandbox(createSeatbeltBackend({ sandboxExec: standIn, toolchains: [], extraMounts: [] }));
    const network = { kind: 'proxy', socket: '/nowhere' } as const;
    const spec = { argv: ['true'], directory: empty, environment: {}, limits: defaultLimits, network } as const;
    expect(await sandbox.run(spec, new AbortController().signal)).toMatchObject({ stage: 'unavailable' });
  });
});

const sandboxExec = findHostHelper('sandbox-exec') ?? '';
const isOrdinaryUser = process.getuid?.() !== 0;

describe.runIf(process.platform === 'darwin' && isOrdinaryUser)(
  'a command in Seatbelt (needs macOS and an ordinary user)',
  () => {
    const enclosed = (line: string, directory?: SandboxDirectory) =>
      shell(line, { sandboxExec, ...(directory === undefined ? {} : { directory }) });

    it('runs and works in its directory', async () => {
      expect(await enclosed('echo made > file && cat file && ls /usr/bin > /dev/null && echo listed')).toMatchObject({
        kind: 'exit',
        code: 0,
        stdout: { text: 'made\nlisted\n' },
      });
    });

    it('gets at nothing around it: no file of a person, no port, no process', async () => {
      const secret = join(base, 'person-secret');
      writeFileSync(secret, 'secret\n');
      const result = await enclosed(
        `cat ${secret}; echo x > ${base}/written; kill -0 ${process.pid} && echo alive; ls ~root /Users/*/.ssh; nc -z -w 2 127.0.0.1 22 && echo connected`,
      );
      expect(result).toMatchObject({ kind: 'exit', stdout: { text: '' } });
      expect((await readdir(base)).includes('written')).toBe(false);
    });

    it('does not read what is hidden in a bound workspace, also not under another name', async () => {
      const workspace = await makeWorkspace('bound');
      const directory: SandboxDirectory = { mode: 'bound', workspace, hidden: ['inner/secret'] };
      const result = await enclosed(
        'cat inner/secret; mv inner other && cat other/secret; ln inner/secret linked && cat linked; mv inner/secret moved; cat moved; cat plain',
        directory,
      );
      expect(result).toMatchObject({ kind: 'exit', code: 0, stdout: { text: 'plain\n' } });
    });
  },
);

/** One that has ended may still wait for somebody to notice. */
function isRunning(pid: string): boolean {
  return /^[^Z]/.test(readProgramOutput('/bin/ps', ['-o', 'stat=', '-p', pid]));
}

/** Until it is so: nobody tells when a process of a command has done something. */
async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
