import { describe, expect, it } from 'vitest';
import type { SandboxReport } from '../engine/index.ts';
import { toDoctorLines } from './doctor-lines.ts';

type Candidate = SandboxReport['sandbox']['candidates'][number];

const caps = {
  wall: 'polled',
  cpu: 'polled',
  memory: 'polled',
  processes: 'kernel',
  output: 'polled',
  file: 'kernel',
  disk: 'kernel',
} as const;
const bwrap: Candidate = { id: 'bwrap', ok: true, version: '0.8.0', caps, staging: { kind: 'overlay' } };
const landlock: Candidate = { id: 'landlock', ok: true, version: '7', caps, staging: { kind: 'copy' } };
const floor: Candidate = { id: 'none', ok: true, version: null, caps, staging: { kind: 'copy' } };
const install = { text: 'Install bubblewrap', command: 'sudo apt install -y bubblewrap' };
const missing: Candidate = {
  id: 'bwrap',
  ok: false,
  version: null,
  reason: 'bubblewrap is not installed',
  advice: install,
};
const refused: Candidate = { id: 'landlock', ok: false, version: '7', reason: 'a command failed', advice: null };

const facts: SandboxReport['system']['facts'] = {
  isRoot: false,
  isContainer: false,
  packageManager: 'apt',
  appArmorRestrictsNamespaces: false,
  maxUserNamespaces: 1,
  permitsUserNamespaces: null,
};

const report = (changes: Partial<SandboxReport> = {}): SandboxReport => ({
  system: { platform: 'linux', release: '6.8.0', architecture: 'x64', facts },
  node: { version: 'v24.1.0', path: '/opt/node/bin/node' },
  home: '/home/ada/.io-studio',
  helpers: { bwrap: '/usr/bin/bwrap', git: '/usr/bin/git', perl: '/usr/bin/perl', prlimit: '/usr/bin/prlimit' },
  sandbox: { minimum: 'isolated', selected: 'bwrap', candidates: [bwrap, landlock, floor] },
  isIsolated: true,
  cgroup: { delegated: false, reason: 'there is no cgroup v2 hierarchy', advice: null },
  toolchains: [{ name: 'rust', program: '/home/ada/rust/bin/rustc', mounts: ['/home/ada/rust'] }],
  improvement: null,
  ...changes,
});

describe('what people are told of a machine', () => {
  it('begins with the answer and says what it rests on', () => {
    expect(toDoctorLines(report())).toEqual([
      'Commands run enclosed by bwrap.',
      '  system      linux 6.8.0, x64',
      '  engine      Node v24.1.0 (/opt/node/bin/node)',
      '  home        /home/ada/.io-studio',
      '  git         /usr/bin/git',
      '  bwrap       works (0.8.0)',
      '  landlock    works (7)',
      '  none        works, encloses nothing',
      '  caps        by the kernel: processes, file, disk; by looking: wall, cpu, memory, output',
      '  workspace   an overlay in a user namespace',
      '  cgroup v2   not delegated: there is no cgroup v2 hierarchy',
      '  rust        /home/ada/rust/bin/rustc',
    ]);
  });

  it('says why what is stronger is not used, and the one command that would change that', () => {
    const sandbox = { minimum: 'isolated', selected: 'landlock', candidates: [missing, landlock, floor] } as const;
    const helpers = { bwrap: null, git: null, perl: '/usr/bin/perl', prlimit: '/usr/bin/prlimit' };
    const lines = toDoctorLines(report({ sandbox, helpers, improvement: install }));
    expect(lines[0]).toBe('Commands run enclosed by landlock.');
    expect(lines).toEqual(
      expect.arrayContaining([
        '  git         not found',
        '  missing     bwrap, git',
        '  bwrap       no: bubblewrap is not installed',
        '  workspace   a copy for each command',
      ]),
    );
    expect(lines.at(-1)).toBe('  to improve  Install bubblewrap: sudo apt install -y bubblewrap');
  });

  it('says that no command runs where nothing encloses and nobody has agreed to less', () => {
    const sandbox = { minimum: 'isolated', selected: null, candidates: [missing, refused, floor] } as const;
    const lines = toDoctorLines(report({ sandbox, isIsolated: false, improvement: install }));
    expect(lines[0]).toBe('Commands do not run here: nothing encloses them.');
    expect(lines).toContain('  landlock    no (7): a command failed');
    expect(lines.filter((line) => /^ {2}(caps|workspace) /.test(line))).toEqual([]);
  });

  it('says whose word it is that commands run with nothing around them', () => {
    const sandbox = { minimum: 'caps-only', selected: 'none', candidates: [missing, refused, floor] } as const;
    expect(toDoctorLines(report({ sandbox, isIsolated: false }))[0]).toBe(
      'Commands run with no more than caps: nothing encloses them here, and your policy says "caps-only".',
    );
  });

  it('tells how the superuser gets workspaces, and when nobody does', () => {
    const system = { platform: 'linux', release: '6.8.0', architecture: 'arm64', facts: { ...facts, isRoot: true } };
    const none: Candidate = { ...bwrap, staging: { kind: 'none', reason: 'no overlay here', advice: null } };
    const sandbox = { minimum: 'isolated', selected: 'bwrap', candidates: [none, landlock, floor] } as const;
    const cgroup = { delegated: true, path: '/sys/fs/cgroup/a', controllers: ['memory', 'pids'] } as const;
    expect(toDoctorLines(report({ system }))).toEqual(
      expect.arrayContaining([
        '  system      linux 6.8.0, arm64, as the superuser',
        '  workspace   an overlay over an id-mapped mount',
      ]),
    );
    expect(toDoctorLines(report({ sandbox, cgroup }))).toEqual(
      expect.arrayContaining([
        '  workspace   none: no overlay here',
        '  cgroup v2   delegated (/sys/fs/cgroup/a): the kernel keeps memory and processes, and counts processor time',
      ]),
    );
  });

  it('says how the kernel would keep more caps, after what would enclose commands', () => {
    const advice = { text: 'Begin like this', command: 'systemd-run --user --scope -p Delegate=yes io-studio run' };
    const cgroup = { delegated: false, reason: 'others run in it', advice } as const;
    expect(toDoctorLines(report({ cgroup, improvement: install })).slice(-2)).toEqual([
      '  to improve  Install bubblewrap: sudo apt install -y bubblewrap',
      '  to improve  Begin like this: systemd-run --user --scope -p Delegate=yes io-studio run',
    ]);
  });

  it('says on a system where the tests were not run that they were not, and misses nothing of Linux there', () => {
    const system = { platform: 'darwin', release: '24.6.0', architecture: 'arm64', facts };
    const helpers = { bwrap: null, git: '/usr/bin/git', perl: '/usr/bin/perl', prlimit: null };
    const seatbelt: Candidate = { id: 'seatbelt', ok: true, version: '15.6', caps, staging: { kind: 'copy' } };
    const sandbox = { minimum: 'isolated', selected: 'seatbelt', candidates: [seatbelt, floor] } as const;
    expect(toDoctorLines(report({ system, helpers, sandbox, toolchains: [] }))).toEqual([
      'Commands run enclosed by seatbelt.',
      '  system      darwin 24.6.0, arm64',
      '  engine      Node v24.1.0 (/opt/node/bin/node)',
      '  home        /home/ada/.io-studio',
      '  git         /usr/bin/git',
      '  sandbox     not run on this system by the tests of the project',
      '  seatbelt    works (15.6)',
      '  none        works, encloses nothing',
      '  caps        by the kernel: processes, file, disk; by looking: wall, cpu, memory, output',
      '  workspace   a copy for each command',
    ]);
  });

  it('shows what a program said with its control characters as escapes', () => {
    const loud: Candidate = { id: 'bwrap', ok: false, version: null, reason: 'bwrap: \u001b[31mno\nyes', advice: null };
    const sandbox = { minimum: 'isolated', selected: null, candidates: [loud] } as const;
    expect(toDoctorLines(report({ sandbox }))).toContain('  bwrap       no: bwrap: \\u{1b}[31mno\\u{a}yes');
  });
});
