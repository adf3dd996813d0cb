import { expect, it } from 'vitest';
import { probeCgroup } from './probe-cgroup.ts';

it('tells which caps the kernel keeps where the engine has a control group of its own', () => {
  const claim = { kind: 'claimed', base: '/sys/fs/cgroup/a', controllers: ['pids'] } as const;
  expect(probeCgroup(claim, 'user')).toEqual({ delegated: true, path: '/sys/fs/cgroup/a', controllers: ['pids'] });
});

it.each([
  ['user', 'systemd-run --user --scope -p Delegate=yes io-studio run'],
  ['system', 'systemd-run --scope -p Delegate=yes io-studio run'],
] as const)('says why it has none, and with which command the %s’s service manager gives it one', (keeper, command) => {
  const probe = probeCgroup({ kind: 'none', reason: 'others run in it' }, keeper);
  expect(probe).toEqual({
    delegated: false,
    reason: 'others run in it',
    advice: { text: expect.stringContaining('a control group of its own'), command },
  });
});

it('advises nothing where nobody is known to hand them out', () => {
  const reason = 'there is no cgroup v2 hierarchy';
  expect(probeCgroup({ kind: 'none', reason }, null)).toEqual({ delegated: false, reason, advice: null });
});
