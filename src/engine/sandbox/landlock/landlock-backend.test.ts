import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { readOwnTag } from '../../process/owner-tag.ts';
import { openPrivateBase } from '../ownership/private-base.ts';
import { defaultLimits, type SandboxDirectory, type SandboxLimits, type SandboxSpec } from '../sandbox.ts';
import { toSandbox } from '../to-sandbox.ts';
import { createToolchain } from '../toolchain/toolchain.ts';
import { createLandlockBackend, type LandlockBackendOptions } from './landlock-backend.ts';

const perl = findHostHelper('perl');
const isHere = process.platform === 'linux' && perl !== null;
const isSuperuser = process.getuid?.() === 0;
const empty: SandboxDirectory = { mode: 'ephemeral', files: [], collect: [] };
let workspace = '';

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'landlock-')));
});
afterEach(() => rmSync(workspace, { recursive: true }));

describe.skipIf(!isHere)('a command enclosed by Landlock', () => {
  it('works in a directory of its own, from which the named files come back', async () => {
    const files = [
      {
        path: 'in/script',
        bytes: Buffer.from('#!/bin/sh\necho "$1" > out; cat in/script | wc -l'),
        mode: 0o755 as const,
      },
    ];
    const result = await run(['./in/script', 'hello'], { mode: 'ephemeral', files, collect: ['out', 'missing'] });
    expect(result).toEqual({
      kind: 'exit',
      code: 0,
      isolation: 'landlock',
      stdout: { text: '1\n', droppedBytes: 0 },
      stderr: { text: '', droppedBytes: 0 },
      durationMs: expect.any(Number),
      survivors: 0,
      leavings: { kind: 'files', files: new Map([['out', Buffer.from('hello\n')]]) },
    });
  });

  it('works on a copy of the workspace, in which what is hidden does not exist, and whose changes come back', async () => {
    writeFileSync(join(workspace, 'kept'), 'kept\n');
    writeFileSync(join(workspace, 'hidden'), 'hidden\n');
    const result = await run(['/bin/sh', '-c', 'ls; echo more >> kept'], {
      mode: 'staged',
      workspace,
      hidden: ['hidden'],
    });
    expect({ ...result, leavings: result.kind === 'exit' && result.leavings }).toMatchObject({
      kind: 'exit',
      code: 0,
      stdout: { text: 'kept\n' },
      leavings: {
        kind: 'changes',
        changes: [{ path: 'kept', after: { kind: 'file', bytes: Buffer.from('kept\nmore\n') } }],
      },
    });
    expect(readFileSync(join(workspace, 'kept'), 'utf8')).toBe('kept\n');
  });

  it.each<[string, string]>([
    ['where it works', '.'],
    ['in its temporary directory', '$TMPDIR'],
  ])('is ended when it has written too much %s, and nothing of that is left', async (_where, place) => {
    const line = `cd ${place}; for i in $(seq 64); do head -c 1048576 /dev/zero > $i; done; sleep 60`;
    const limits = { ...defaultLimits, diskBytes: 16 * 1024 ** 2 };
    expect(await run(['/bin/sh', '-c', line], empty, { limits })).toMatchObject({
      kind: 'cap',
      hit: { cap: 'disk', limit: 16 * 1024 ** 2, unit: 'bytes', enforcement: 'polled' },
      leavings: { kind: 'nothing' },
      survivors: 0,
    });
    expect(readdirSync(openPrivateBase()).filter((name) => name.startsWith(readOwnTag()))).toEqual([]);
  });

  it('is ended when what it has written is hidden in a directory that it has shut', async () => {
    const line = 'mkdir d; cd d; exec 9> x; chmod 0 .; head -c 64000000 /dev/zero >&9; sleep 60';
    const hidden = 'mkdir d; cd d; for i in $(seq 64); do head -c 1048576 /dev/zero > $i; done; chmod 0 .; sleep 60';
    const limits = { ...defaultLimits, diskBytes: 16 * 1024 ** 2 };
    for (const each of [line, hidden]) {
      expect(await run(['/bin/sh', '-c', each], empty, { limits })).toMatchObject({
        kind: 'cap',
        hit: { cap: 'disk' },
      });
    }
  });

  it('gets the environment that was given, and places of its own for the rest', async () => {
    const result = await run(
      ['/bin/sh', '-c', 'echo $GIVEN; test "$HOME" = "$TMPDIR" && touch $HOME/x && echo $PERL5OPT'],
      empty,
      {
        environment: { GIVEN: 'given', PERL5OPT: '-Mnothing' },
      },
    );
    expect(result).toMatchObject({ kind: 'exit', code: 0, stdout: { text: 'given\n-Mnothing\n' } });
  });

  it('finds what has to appear in its temporary directory by a link', async () => {
    const caches = [{ source: '/etc/ld.so.cache', below: 'cache/downloads' }];
    const result = await run(['/bin/sh', '-c', 'cat $TMPDIR/cache/downloads'], empty, {
      toolchains: [createToolchain({ name: 'c', program: '/usr/bin/cc', caches })],
    });
    expect(result).toMatchObject({ kind: 'exit', code: 0 });
  });

  it.each<[string, Partial<SandboxSpec>, { readonly stage: string; readonly reason: string }]>([
    [
      'a missing program',
      { argv: ['/usr/bin/missing'] },
      { stage: 'program', reason: 'there is no such executable program' },
    ],
    [
      'a script whose interpreter is missing',
      {
        argv: ['./broken'],
        directory: { ...empty, files: [{ path: 'broken', bytes: Buffer.from('#!/missing\n'), mode: 0o755 }] },
      },
      { stage: 'program', reason: '/box/broken: No such file or directory' },
    ],
    [
      'a workspace that is not there',
      { directory: { mode: 'bound', workspace: '/nowhere', hidden: [] } },
      { stage: 'directory', reason: 'there is no directory /nowhere' },
    ],
    [
      'something that must be hidden in a directory that is open to writing',
      { directory: { mode: 'bound', workspace: '/var/tmp', hidden: ['x'] } },
      { stage: 'directory', reason: 'nothing in /var/tmp can be hidden while it is open to writing' },
    ],
  ])('is not started for %s', async (_, spec, expected) => {
    const sandbox = toSandbox(createLandlockBackend({ perl: perl ?? '', toolchains: [], extraMounts: [] }));
    const result = await sandbox.run({ ...trivial, ...spec }, AbortSignal.timeout(10_000));
    expect(result).toMatchObject({
      kind: 'not-started',
      ...expected,
      reason: expect.stringContaining(expected.reason),
    });
  });

  it.skipIf(!isSuperuser)('runs as a user of its own, to which no workspace of another is bound', async () => {
    const identity = await run(['/bin/sh', '-c', 'id -u; id -G'], empty);
    const [user, ...groups] = identity.kind === 'exit' ? identity.stdout.text.trim().split('\n').map(Number) : [];
    expect({ isInRange: user !== undefined && user >= 61_184 && user <= 65_519, groups }).toEqual({
      isInRange: true,
      groups: [user],
    });
    const bound = await run(['/bin/true'], { mode: 'bound', workspace, hidden: [] });
    expect(bound).toMatchObject({ kind: 'not-started', stage: 'directory' });
  });

  it('is not started where something would have to appear at another path', async () => {
    mkdirSync(join(workspace, 'tools'));
    const result = await run(['/bin/true'], empty, {
      extraMounts: [{ source: join(workspace, 'tools'), target: '/opt/tools' }],
    });
    expect(result).toMatchObject({ kind: 'not-started', stage: 'toolchain' });
  });
});

const trivial: SandboxSpec = { argv: ['/bin/true'], directory: empty, environment: {}, limits: defaultLimits };

interface Differently extends Partial<Pick<LandlockBackendOptions, 'toolchains' | 'extraMounts'>> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly limits?: SandboxLimits;
}

async function run(argv: SandboxSpec['argv'], directory: SandboxDirectory, differently: Differently = {}) {
  const { environment = {}, toolchains = [], extraMounts = [], limits = defaultLimits } = differently;
  const sandbox = toSandbox(createLandlockBackend({ perl: perl ?? '', toolchains, extraMounts }));
  return sandbox.run({ ...trivial, argv, directory, environment, limits }, AbortSignal.timeout(20_000));
}
