// What is wrong with what a command is given, or with where it is to run: in every sandbox of this machine each comes to a
// typed result, and nothing of it is left.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readOwnTag } from '../../src/engine/process/owner-tag.ts';
import { listPrivateBases } from '../../src/engine/sandbox/ownership/private-base.ts';
import {
  defaultLimits,
  type SandboxDirectory,
  type SandboxLimits,
  type SandboxResult,
  type SandboxSpec,
} from '../../src/engine/sandbox/sandbox.ts';
import { findMarked } from './hostile/find-marked.ts';
import { findSandbox } from './hostile/find-sandbox.ts';

const isRoot = process.getuid?.() === 0;
const backends = ['bwrap', 'landlock', 'none'] as const;
const found = await Promise.all(backends.map(async (backend) => ({ backend, sandbox: await findSandbox(backend) })));
const empty: SandboxDirectory = { mode: 'ephemeral', files: [], collect: [] };
const marker = '1234.0625';

let place = '';
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'bad-input-')));
  chmodSync(place, 0o755);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true });
  // Of no test is anything left: no directory, no record, no process.
  expect([
    listPrivateBases()
      .flatMap((base) => readdirSync(base))
      .filter(isOurs),
    findMarked(marker),
  ]).toEqual([[], []]);
});

const isOurs = (name: string): boolean => name.startsWith(readOwnTag());

describe.each(found)('what is wrong with a command under $backend', ({ sandbox }) => {
  async function run(
    argv: SandboxSpec['argv'],
    directory: SandboxDirectory = empty,
    limits: Partial<SandboxLimits> = {},
  ): Promise<SandboxResult> {
    if (typeof sandbox === 'string') throw new Error(sandbox);
    const spec = { argv, directory, environment: {}, limits: { ...defaultLimits, wallMs: 20_000, ...limits } };
    return sandbox.run(spec, AbortSignal.timeout(40_000));
  }

  const shell = (line: string, directory?: SandboxDirectory, limits?: Partial<SandboxLimits>) =>
    run(['/bin/sh', '-c', line], directory, limits);

  describe.skipIf(typeof sandbox === 'string')('is told:', () => {
    it.each(['no-such-program', '/nowhere/program'])(
      'a missing program, in the same words everywhere: %s',
      async (program) => {
        expect(await run([program])).toEqual({
          kind: 'not-started',
          program,
          stage: 'program',
          reason: 'there is no such executable program',
        });
      },
    );

    it.runIf(isRoot)('a toolchain that the user of the command may not read (needs root)', async () => {
      mkdirSync(join(place, 'toolchain'), { mode: 0o700 });
      const program = join(place, 'toolchain', 'compiler');
      writeFileSync(program, '#!/bin/sh\necho ran\n', { mode: 0o755 });
      expect(await run([program])).toMatchObject({
        kind: 'not-started',
        program,
        stage: expect.stringMatching(/^(?:toolchain|program)$/),
      });
    });

    it.each(['/proc/self', '/sys/kernel', '/dev', '/usr'])(
      'a workspace on a mount of the system: %s',
      async (workspace) => {
        expect(await shell('true', { mode: 'staged', workspace, hidden: [] })).toMatchObject({
          kind: 'not-started',
          stage: 'directory',
        });
      },
    );

    it.each([tmpdir(), '/dev/shm', '/var/tmp'])('nothing of a workspace in %s: it works there', async (where) => {
      const workspace = mkdtempSync(join(where, 'workspace-'));
      try {
        expect(await shell('echo new > made', { mode: 'staged', workspace, hidden: [] })).toMatchObject({
          kind: 'exit',
          code: 0,
          leavings: { kind: 'changes', changes: [{ path: 'made' }], lost: [] },
        });
        expect(readdirSync(workspace)).toEqual([]);
      } finally {
        rmSync(workspace, { recursive: true });
      }
    });

    it('nothing of an argument of 64 KB, and what is too much for the system', async () => {
      const count = (length: number) => run(['/bin/sh', '-c', 'printf %s "$1" | wc -c', 'sh', 'x'.repeat(length)]);
      expect(await count(65_536)).toMatchObject({ kind: 'exit', code: 0, stdout: { text: '65536\n' } });
      expect(await count(200_000)).toMatchObject({
        kind: 'not-started',
        reason: expect.stringMatching(/too long|E2BIG/),
      });
    });

    it('output that is no text, as what can be read of it', async () => {
      expect(await shell("printf 'a\\377\\376\\000b'; printf '\\303' >&2")).toMatchObject({
        kind: 'exit',
        code: 0,
        stdout: { text: 'a\ufffd\ufffd\0b', droppedBytes: 0 },
        stderr: { text: '\ufffd', droppedBytes: 0 },
      });
    });

    it('nothing of what comes after its outputs were closed, or after it has ended', async () => {
      expect(await shell('echo before; exec >&- 2>&-; echo lost; exit 3')).toMatchObject({
        kind: 'exit',
        code: 3,
        stdout: { text: 'before\n' },
      });
      expect(await shell(`(sleep ${marker}; echo late) & echo first`)).toMatchObject({
        kind: 'exit',
        code: 0,
        stdout: { text: 'first\n' },
        survivors: 0,
      });
    });

    it.each([-3_600_000, 3_600_000])('the same by a clock that is put %i ms on meanwhile', async (step) => {
      const real = Date.now;
      const stepped = shell('sleep 0.2; echo done');
      vi.spyOn(Date, 'now').mockImplementation(() => real() + step);
      expect(await stepped).toMatchObject({ kind: 'exit', code: 0, stdout: { text: 'done\n' } });
      expect(await shell(`sleep ${marker}`, empty, { wallMs: 200 })).toMatchObject({
        kind: 'cap',
        hit: { cap: 'wall', limit: 200 },
      });
    });

    it.each(['/nonexistent', '/dev/null'])(
      'nothing of a TMPDIR that is %s: it has one of its own',
      async (temporary) => {
        vi.stubEnv('TMPDIR', temporary);
        expect(await shell('cd "$TMPDIR" && echo made > file && cat file')).toMatchObject({
          kind: 'exit',
          code: 0,
          stdout: { text: 'made\n' },
        });
      },
    );
  });
});

describe.runIf(isRoot)('a workspace on a file system of its own (needs root)', () => {
  it.each([
    ['in memory', 'mount -t tmpfs none "$1"', 'exit'],
    ['that is read-only', 'mount -t tmpfs none "$1"; mount -o remount,ro "$1"', 'exit'],
    ['on which nothing may be run', 'mount -t tmpfs -o noexec,nodev,nosuid none "$1"', 'exit'],
    ['that is an overlay', overlay(), 'exit'],
    ['that is bound from elsewhere', 'mount --bind /var/tmp "$1"', 'exit'],
    ['of processes', 'mount -t proc none "$1"', 'not-started'],
  ])('is worked in or refused with a reason: %s', (_what, mount, kind) => {
    const script = `
      import { findSandbox } from '${import.meta.dirname}/hostile/find-sandbox.ts';
      import { defaultLimits } from '${import.meta.dirname}/../../src/engine/sandbox/sandbox.ts';
      const directory = { mode: 'staged', workspace: process.argv[1], hidden: [] };
      const spec = { argv: ['/bin/sh', '-c', 'echo ran'], directory, environment: {}, limits: defaultLimits };
      for (const backend of ['bwrap', 'landlock', 'none']) {
        const sandbox = await findSandbox(backend);
        if (typeof sandbox === 'string') continue;
        const { kind, reason } = await sandbox.run(spec, new AbortController().signal);
        console.log(JSON.stringify({ backend, kind, reason }));
      }`;
    // In a mount namespace of its own, with which it is all gone.
    const line = `set -e; ${mount}; exec "$2" --input-type=module -e "$3" -- "$1"`;
    const argv = ['-m', 'sh', '-c', line, 'sh', place, process.execPath, script];
    const { stdout, stderr } = spawnSync('unshare', argv, { encoding: 'utf8' });
    const results = stdout.split('\n').flatMap((each) => (each === '' ? [] : [JSON.parse(each)]));
    expect([results, stderr]).toEqual([results.map((each) => ({ ...each, kind })), '']);
    expect(results.length).toBeGreaterThan(0);
  });
});

function overlay(): string {
  const layers = 'mkdir "$1/l" "$1/u" "$1/w" "$1/m"; : > "$1/l/file"';
  return `mount -t tmpfs none "$1"; ${layers}; mount -t overlay none -o "lowerdir=$1/l,upperdir=$1/u,workdir=$1/w" "$1/m"; mount --move "$1/m" "$1"`;
}
