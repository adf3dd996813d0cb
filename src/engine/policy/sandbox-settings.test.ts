import { describe, expect, it } from 'vitest';
import type { PolicyScope } from './compose-policy.ts';
import { toSandboxSettings } from './sandbox-settings.ts';

const scope = (origin: PolicyScope['origin'], sandbox: NonNullable<PolicyScope['policy']['sandbox']>): PolicyScope => ({
  origin,
  file: null,
  policy: { sandbox },
});

describe('what a person says about the enclosure of commands', () => {
  it('is that they run enclosed or not at all, where nothing is said', () => {
    const nothing = { minimumIsolation: 'isolated', mounts: [] };
    expect([toSandboxSettings([]), toSandboxSettings([scope('user', {})])]).toEqual([nothing, nothing]);
  });

  it('shows a mount at its own path when no other is named', () => {
    const mounts = [{ source: '/opt/sdk' }, { source: '/home/ada/m2', target: '/tmp/.m2/repository' }];
    expect(toSandboxSettings([scope('user', { minimumIsolation: 'caps-only', mounts })])).toEqual({
      minimumIsolation: 'caps-only',
      mounts: [
        { source: '/opt/sdk', target: '/opt/sdk' },
        { source: '/home/ada/m2', target: '/tmp/.m2/repository' },
      ],
    });
  });

  it('is said by nobody else: another scope that got this far has no say', () => {
    const others = (['project', 'app', 'repository', 'run'] as const).map((origin) =>
      scope(origin, { minimumIsolation: 'caps-only', mounts: [{ source: '/etc' }] }),
    );
    expect(toSandboxSettings(others)).toEqual({ minimumIsolation: 'isolated', mounts: [] });
  });
});
