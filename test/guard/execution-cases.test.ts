// Reported failures of other tools that are about running commands: each by the tools a model has, in the sandbox that this
// machine gives, with a policy that stands in the way of nothing, so that only the enclosure is left to hold.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { permissivePolicy } from '../../src/engine/policy/permissive-policy.ts';
import type { Policy } from '../../src/engine/policy/policy.ts';
import { findHostHelper, type HostHelper } from '../../src/engine/process/find-host-helper.ts';
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { createSandbox, type ProbedSandbox } from '../../src/engine/sandbox/select-sandbox.ts';
import { listCandidates } from '../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../src/engine/sandbox/selection/trials.ts';
import { findMarked } from '../sandbox/hostile/find-marked.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../support/guarded-workspace.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { startWebServer } from '../support/web-server.ts';

const isRoot = process.getuid?.() === 0;

/** Also what lies outside of the workspace. */
const openPolicy: Policy = {
  ...permissivePolicy,
  layers: [
    ...permissivePolicy.layers,
    {
      name: 'open',
      origin: 'user',
      remedy: '',
      rules: [
        { act: 'read', effect: 'allow', pattern: '/*' },
        { act: 'write', effect: 'allow', pattern: '/*' },
      ],
    },
  ],
};

const select = (findHelper: (name: HostHelper) => string | null = findHostHelper): ProbedSandbox =>
  createSandbox({ minimum: 'isolated', trials: createTrials(listCandidates({ mounts: [], findHelper })) });

/** What encloses commands on this machine. */
const chosen = await select().ready();

const openWorkspace = (sandbox = select()): Promise<GuardedWorkspace> => openGuardedWorkspace(openPolicy, { sandbox });

const shell = async (workspace: GuardedWorkspace, command: string, timeoutSeconds = 30) =>
  workspace.call('shell', { command, timeoutSeconds });

/** What takes the place of bubblewrap: it says all that bubblewrap says, and encloses nothing. */
const impostor = `#!/usr/bin/perl
if (grep { $_ eq '--version' } @ARGV) { print "bubblewrap 0.8.0\\n"; exit }
shift @ARGV while @ARGV && $ARGV[0] ne '--';
shift @ARGV;
open(my $status, '>&=', 3);
my $child = fork;
exec @ARGV if !$child;
syswrite $status, qq({"child-pid": $child}\\n);
waitpid $child, 0;
syswrite $status, '{"exit-code": ' . ($? >> 8) . "}\\n";
`;

describe('a sandbox that does not do what it says (openai/codex#9292)', () => {
  it('is found out before the first command: flags that are ignored enclose nothing', async () => {
    using place = createTemporaryDirectory();
    const bwrap = join(place.path, 'bwrap');
    writeFileSync(bwrap, impostor);
    chmodSync(bwrap, 0o755);
    const trials = createTrials(
      listCandidates({ mounts: [], findHelper: (name) => (name === 'bwrap' ? bwrap : findHostHelper(name)) }),
    );
    const sandbox = createSandbox({ minimum: 'isolated', trials });
    await sandbox.ready();
    expect(sandbox.isolation).not.toBe('bwrap');
    const { candidates } = await sandbox.probe();
    expect(candidates.find(({ id }) => id === 'bwrap')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^a command (?:can|runs)/),
    });
  });

  it.skipIf(chosen !== 'bwrap')('is found out where the kernel refuses what it is made of, and says so', () => {
    using place = createTemporaryDirectory();
    chmodSync(place.path, 0o777);
    const source = (path: string): string => join(import.meta.dirname, '../../src/engine/sandbox', path);
    const script = `
      import { createSandbox } from '${source('select-sandbox.ts')}';
      import { listCandidates } from '${source('selection/list-candidates.ts')}';
      import { createTrials } from '${source('selection/trials.ts')}';
      import { defaultLimits as limits } from '${source('sandbox.ts')}';
      const sandbox = createSandbox({ minimum: 'isolated', trials: createTrials(listCandidates({ mounts: [] })) });
      const { selected, candidates } = await sandbox.probe();
      const directory = { mode: 'ephemeral', files: [], collect: [] };
      const spec = { argv: ['/bin/echo', 'ran'], directory, environment: {}, limits };
      const { kind, isolation = null } = await sandbox.run(spec, new AbortController().signal);
      console.log(JSON.stringify({ selected, bwrap: candidates.find(({ id }) => id === 'bwrap'), kind, isolation }));`;
    // No user namespace can be made in it; everything else is as it is outside.
    const masked = [
      'bwrap',
      '--bind',
      '/',
      '/',
      '--dev-bind',
      '/dev',
      '/dev',
      '--unshare-user',
      '--disable-userns',
      '--',
    ];
    const ordinary = isRoot ? ['setpriv', '--reuid=60611', '--regid=60611', '--clear-groups'] : [];
    const engine = [process.execPath, '--input-type=module', '-e', script];
    const env = { PATH: '/usr/bin:/bin', TMPDIR: place.path };
    const { stdout, stderr } = spawnSync('env', [...ordinary, ...masked, ...engine], { env, encoding: 'utf8' });
    const told = stderr === '' ? JSON.parse(stdout) : stderr;
    expect(told.bwrap).toMatchObject({ ok: false, reason: expect.stringContaining('No space left on device') });
    // What encloses commands in its place, where there is something; without it none has run.
    expect(told).toMatchObject(
      told.selected === null
        ? { kind: 'not-started', isolation: null }
        : { selected: 'landlock', kind: 'exit', isolation: 'landlock' },
    );
  });

  it('leaves commands without one unrun, and says why, where nothing is left that encloses', async () => {
    await using workspace = await openWorkspace(select(() => null));
    expect(await shell(workspace, 'echo ran > made')).toEqual({
      status: 'failed',
      text: expect.stringMatching(/^Nothing was run: .*nothing on this machine can enclose a command.*install/s),
    });
    expect(await workspace.files.read('made', 10)).toMatchObject({ kind: 'missing' });
  });
});

describe('a command in the sandbox', () => {
  it('does not see a key beside the workspace that policy would let it read (openai/codex#7657)', async () => {
    await using workspace = await openWorkspace();
    mkdirSync(join(workspace.outside, 'keys'));
    const key = join(workspace.outside, 'keys/id_of_nobody');
    writeFileSync(key, 'never-to-be-shown', { mode: 0o644 });
    workspace.write('look.sh', 'cat "$1"');
    for (const command of [`cat ${key}`, `bash look.sh ${key}`, `ln -s ${key} link; cat link`]) {
      const { text } = await shell(workspace, command);
      expect([text.includes('never-to-be-shown'), text]).toEqual([
        false,
        expect.stringMatching(/No such file|Permission denied/),
      ]);
    }
  });

  it.each([
    ['a variable that names no proxy', 'curl -sS --max-time 5 --noproxy "*" http://127.0.0.1:PORT/'],
    ['a socket of its own', 'exec 3<>/dev/tcp/127.0.0.1/PORT'],
    ['another language', `python3 -c 'import socket; socket.create_connection(("127.0.0.1", PORT), 5)'`],
  ])('dials nothing by passing the proxy by: %s (anthropics/claude-code#33249)', async (_title, line) => {
    await using workspace = await openWorkspace();
    let connections = 0;
    const server = createServer((socket) => socket.destroy(new Error('nobody should be here')));
    server.on('connection', () => connections++);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    workspace.write('dial.sh', line.replaceAll('PORT', String(port)));
    expect(await shell(workspace, 'bash dial.sh')).toMatchObject({ status: 'failed' });
    server.close();
    expect(connections).toBe(0);
  });

  it.skipIf(chosen !== 'bwrap')(
    'reaches an allowed host through the proxy, though file systems of its own are laid over /tmp and the rest (anthropics/claude-code#64182)',
    async () => {
      const sandbox = select();
      await sandbox.ready();
      await using page = await startWebServer((_, response) => response.end('hello'));
      const host = `127.0.0.1:${page.port}`;
      const rules = [{ act: 'net', effect: 'allow', pattern: host }] as const;
      const layer = { name: 'host', origin: 'user', remedy: '', rules } as const;
      const policy = {
        ...openPolicy,
        defaults: { ...openPolicy.defaults, net: 'deny' },
        layers: [...openPolicy.layers, layer],
      } as const;
      await using workspace = await openGuardedWorkspace(policy, { sandbox, directory: '/tmp' });
      const line = `touch /tmp/own && curl -sS --noproxy "" http://${host}/`;
      expect(await shell(workspace, line)).toMatchObject({ status: 'ok', text: expect.stringContaining('hello') });
    },
  );

  it.each(['/nonexistent/temporary', '/dev/null'])(
    'has a temporary directory of its own where TMPDIR is %s (anthropics/claude-code#11079)',
    async (temporary) => {
      await using workspace = await openWorkspace();
      const before = process.env.TMPDIR;
      process.env.TMPDIR = temporary;
      try {
        expect(await shell(workspace, 'cat <<< "$(mktemp -d > /dev/null && echo made)"')).toEqual({
          status: 'ok',
          text: 'Exit code 0.\nstdout:\nmade\nstderr: (nothing)',
        });
      } finally {
        if (before === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = before;
      }
    },
  );

  it.each([
    ['when it ends', '(sleep 987.125 &); sleep 0.1 | cat', 30],
    ['at its time limit', '(setsid sleep 987.125 &); sleep 987.125 | sleep 987.125', 1],
    ['when it ignores what it is told', "trap '' TERM HUP INT; (sleep 987.125 & disown); sleep 987.125", 1],
  ])('leaves no process behind %s (odysseus-dev/odysseus#2338)', async (_title, command, timeoutSeconds) => {
    await using workspace = await openWorkspace();
    await shell(workspace, command, timeoutSeconds);
    expect(findMarked('987.125')).toEqual([]);
  });

  it('leaves no process behind when it is cancelled, and lets go of its outputs (odysseus-dev/odysseus#2338)', async () => {
    const cancelled = new AbortController();
    const line = '(sleep 987.25 &); echo up; sleep 987.25 | sleep 987.25';
    const result = await select().run(
      {
        argv: ['/bin/sh', '-c', line],
        directory: { mode: 'ephemeral', files: [], collect: [] },
        environment: {},
        limits: defaultLimits,
        session: { onStart: () => undefined, onOutput: () => cancelled.abort() },
      },
      cancelled.signal,
    );
    expect(result).toMatchObject({ kind: 'cancelled', stdout: { text: 'up\n' }, survivors: 0 });
    expect(findMarked('987.25')).toEqual([]);
  });
});
