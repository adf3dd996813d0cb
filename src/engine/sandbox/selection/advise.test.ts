import { describe, expect, it } from 'vitest';
import { advise, toAdviceText } from './advise.ts';
import { adviseInstall } from './advise-install.ts';
import { type HostFacts, toPackageManager } from './host-facts.ts';

const ordinary: HostFacts = {
  isRoot: false,
  isContainer: false,
  packageManager: 'apt',
  appArmorRestrictsNamespaces: false,
  maxUserNamespaces: 15_000,
  permitsUserNamespaces: null,
};
const ubuntu: HostFacts = { ...ordinary, appArmorRestrictsNamespaces: true };
const refused = 'unshare-user: Operation not permitted';

describe('what helps against a launch that failed', () => {
  it.each<[string, string, HostFacts, string, string | null]>([
    [
      'AppArmor, told by bubblewrap',
      'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
      ubuntu,
      'AppArmor',
      'apparmor_parser -r',
    ],
    [
      'AppArmor, told of the user map',
      'bwrap: setting up uid map: Permission denied',
      ubuntu,
      'AppArmor',
      'apparmor_parser -r',
    ],
    ['AppArmor, told by the launcher', 'memory: Permission denied', ubuntu, 'AppArmor', 'apparmor_parser -r'],
    [
      'a limit of none',
      'bwrap: Creating new namespace failed: max_user_namespaces exceeded (ENOSPC)',
      ordinary,
      'no more user namespaces',
      'sudo sysctl -w user.max_user_namespaces=15000',
    ],
    [
      'a limit of none, told by the launcher',
      'unshare-user: No space left on device',
      ordinary,
      'no more user namespaces',
      'sudo sysctl -w user.max_user_namespaces=15000',
    ],
    [
      'a limit of none, seen in the settings',
      refused,
      { ...ordinary, maxUserNamespaces: 0 },
      'no more user namespaces',
      'sudo sysctl',
    ],
    [
      'a limit of none for a root engine',
      'swap-map: no user namespace could be made',
      { ...ordinary, isRoot: true, maxUserNamespaces: 0 },
      'no more',
      'sysctl -w user.max_user_namespaces=15000',
    ],
    [
      'namespaces for the superuser alone',
      'bwrap: No permissions to create new namespace',
      { ...ordinary, permitsUserNamespaces: false },
      'keeps ordinary users',
      'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [
      'a container that permits none',
      refused,
      { ...ordinary, isContainer: true },
      'container keeps its processes',
      null,
    ],
    [
      'a container with a masked /proc',
      "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      { ...ubuntu, isContainer: true },
      'unmasked /proc',
      null,
    ],
    ['an old kernel', 'landlock: Function not implemented', ordinary, 'Linux 6.12', null],
    ['Landlock switched off', 'landlock: Operation not supported', ordinary, 'lsm=', null],
  ])('is known for %s', (_, complaint, facts, text, command) => {
    const advice = advise(complaint, facts);
    expect(advice?.text).toContain(text);
    expect(advice?.command ?? null).toEqual(command === null ? null : expect.stringContaining(command));
  });

  it.each(['', 'bwrap: Unknown option --size', 'a trial command exited with 1: perl: not found', refused])(
    'is unknown where nothing explains %j',
    (complaint) => {
      expect(advise(complaint, ordinary)).toBeNull();
    },
  );

  it('never is to switch a protection of everybody off where a profile can except the two programs', () => {
    const advice = advise(refused, ubuntu);
    expect(advice?.command).not.toContain('sysctl');
    expect(advice?.command).toContain('/usr/bin/{bwrap,perl}');
  });

  it('is one line for a shell, whose quotes close', () => {
    const command = advise(refused, ubuntu)?.command ?? '';
    expect([command.split('\n').length, command.split("'").length]).toEqual([1, 3]);
  });

  it('blames no setting that only ordinary users feel when the engine is the superuser', () => {
    expect(advise(refused, { ...ubuntu, isRoot: true })).toBeNull();
  });
});

describe('how a package comes onto a machine', () => {
  it.each<[string, string, string | null]>([
    ['Debian', 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n', 'sudo apt install -y bubblewrap'],
    ['Ubuntu', 'ID=ubuntu\nID_LIKE=debian\n', 'sudo apt install -y bubblewrap'],
    ['Mint, which takes after Ubuntu', 'ID=linuxmint\nID_LIKE="ubuntu debian"\n', 'sudo apt install -y bubblewrap'],
    ['Fedora', 'ID=fedora\n', 'sudo dnf install -y bubblewrap'],
    ['Rocky', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'sudo dnf install -y bubblewrap'],
    ['Alpine', "ID='alpine'\n", 'sudo apk add bubblewrap'],
    ['Arch', 'ID=arch\n', 'sudo pacman -S --noconfirm bubblewrap'],
    ['openSUSE', 'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', 'sudo zypper install -y bubblewrap'],
    ['a system nobody knows', 'ID=other\nVERSION_ID=debian\n', null],
    ['a system that says nothing', '', null],
  ])('is known for %s', (_, release, command) => {
    expect(adviseInstall('bubblewrap', { ...ordinary, packageManager: toPackageManager(release) }).command).toBe(
      command,
    );
  });

  it('needs no sudo of the superuser', () => {
    expect(adviseInstall('perl', { ...ordinary, isRoot: true })).toEqual({
      text: 'Install perl',
      command: 'apt install -y perl',
    });
  });
});

describe('the words of an advice', () => {
  it('end with its command where there is one', () => {
    expect(
      [
        { text: 'Install it', command: 'apt install it' },
        { text: 'Buy it', command: null },
      ].map(toAdviceText),
    ).toEqual(['Install it: apt install it', 'Buy it']);
  });
});
