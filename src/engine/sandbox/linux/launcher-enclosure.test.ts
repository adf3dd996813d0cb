import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findHostHelper } from '../../process/find-host-helper.ts';
import type { StartedChild } from '../../process/start-child.ts';
import { readChannelLines } from './channel-lines.ts';
import { type Instruction, waitForReady } from './launcher.ts';
import { composeSeccomp } from './seccomp.ts';
import { launch } from './zygote.ts';

const perl = findHostHelper('perl');
const isHere = process.platform === 'linux' && perl !== null;
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
const system = ['/usr', '/bin', '/lib', '/lib64', '/etc/ld.so.cache', '/proc'].filter((path) => existsSync(path));
let directory = '';

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'enclosure-')));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe.skipIf(!isHere)('the launcher where nothing can be mounted', () => {
  it('ends as the command ends, by exit code and by signal', async () => {
    const shell = (line: string) => run([hold, ...start(line)]);
    expect([await shell('exit 7'), await shell('kill -TERM $$'), await shell('kill -KILL $$')]).toEqual([
      { code: 7, signal: null, stdout: '', stderr: '' },
      { code: null, signal: 'SIGTERM', stdout: '', stderr: '' },
      { code: null, signal: 'SIGKILL', stdout: '', stderr: '' },
    ]);
  });

  it('ends what the command left running in sessions of its own, deaf to signals', async () => {
    const orphan = '(setsid sh -c "trap : TERM HUP INT; echo \\$\\$; while :; do sleep 9; done" &) ';
    const ended = await run([hold, ...start(`${orphan}; ${orphan}; sleep 0.2`)]);
    const pids = ended.stdout.trim().split('\n').map(Number);
    expect({ ...ended, stdout: pids.length, left: pids.filter(isRunning) }).toEqual({
      code: 0,
      signal: null,
      stdout: 2,
      stderr: '',
      left: [],
    });
  });

  it('leaves a command nothing but its own environment and its three descriptors', async () => {
    const list = 'tr "\\0" "\\n" </proc/self/environ; echo /proc/self/fd/*';
    const ended = await run([['environment', 'ONE', '1', 'TWO', 'a b'], hold, ...start(list)]);
    expect(ended.stdout.split('\n').slice(0, 2).sort()).toEqual(['ONE=1', 'TWO=a b']);
    // The shell itself opens one more to list them.
    expect(ended.stdout.split('\n').at(-2)).toMatch(
      /^\/proc\/self\/fd\/0 \/proc\/self\/fd\/1 \/proc\/self\/fd\/2( \/proc\/self\/fd\/3)?$/,
    );
  });

  it('lets a command read and write what it was given and nothing else', async () => {
    const [own, other] = [join(directory, 'own'), join(directory, 'other')];
    for (const path of [own, other]) mkdirSync(path);
    writeFileSync(join(other, 'secret'), 'secret');
    const lines = [
      `cd ${own}; echo one > file; mkdir d; mv file d/moved; cat d/moved; echo >/dev/null`,
      `cat ${other}/secret; ls ${other}; echo x > ${other}/new; echo x >> ${other}/secret; : > ${other}/secret`,
      `ln ${other}/secret here; mv ${other}/secret there; rm ${other}/secret; touch /tmp/new-$$; ls /root`,
    ];
    const ended = await run([landlock([own, '/dev/null']), ...start(lines.join('\n'))]);
    expect({
      stdout: ended.stdout,
      left: readdirSync(other),
      secret: readFileSync(join(other, 'secret'), 'utf8'),
    }).toEqual({
      stdout: 'one\n',
      left: ['secret'],
      secret: 'secret',
    });
  });

  it('sets limits for the command', async () => {
    const limits: Instruction[] = [
      ['limit', '7', '100', '200'],
      ['limit', '1', '1024', '1024'],
    ];
    const ended = await run([hold, ...limits, ...start('ulimit -Sn; ulimit -Hn; ulimit -f')]);
    expect(ended.stdout).toBe('100\n200\n2\n');
  });

  it('installs a filter that answers system calls', async () => {
    const filter = composeSeccomp(architecture, { unixSockets: false, inetSockets: false });
    const call = String.raw`socket(my $s, 2, 1, 0) ? print "made\n" : print "$!\n"; pipe(my $r, my $w) and print "piped\n"`;
    const program: Instruction = ['start', perl ?? '', '-e', call];
    const ended = await run([hold, ['filter', Buffer.from(filter).toString('hex')], ['wait'], program]);
    expect(ended.stdout).toBe('Operation not permitted\npiped\n');
  });

  it('starts nothing where the kernel has no Landlock of the version that is needed', async () => {
    await expect(run([hold, ['landlock', '99', '0'], ...start('echo started')])).rejects.toThrow(
      /landlock: this kernel has (no Landlock|Landlock in version \d+, and 99 is needed)/,
    );
  });

  it('starts nothing where a place that it should open is missing', async () => {
    await expect(run([landlock([join(directory, 'missing')]), ...start('echo started')])).rejects.toThrow(
      `landlock: ${directory}/missing: No such file or directory`,
    );
  });
});

const hold: Instruction = ['hold'];
const landlock = (writable: readonly string[]): Instruction => [
  'landlock',
  '3',
  String(system.length),
  ...system,
  ...writable,
];
const start = (line: string): Instruction[] => [['wait'], ['start', '/bin/sh', '-c', line]];

async function run(instructions: readonly Instruction[]) {
  const child = await instruct(instructions);
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
  return { ...end, stdout, stderr };
}

async function instruct(instructions: readonly Instruction[]): Promise<StartedChild> {
  const child = await launch(perl ?? '', { instructions, input: 'none' });
  if (child.kind === 'failed') throw new Error(child.reason);
  const [status] = child.channels;
  if (status === undefined) throw new Error('no channel');
  const refusal = await waitForReady(readChannelLines(status), AbortSignal.timeout(5000));
  if (refusal !== null) throw new Error(refusal.reason);
  child.letGo();
  return child;
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
