import { describe, expect, it } from 'vitest';
import { composeRoot, type RootPlan } from './compose-root.ts';

const plan: RootPlan = {
  root: '/mnt/root',
  stage: '/mnt',
  account: { kind: 'own', uid: 1000, gid: 1000 },
  system: { links: [['/bin', 'usr/bin']], readable: ['/usr', '/etc/ssl'] },
  readable: [],
  proxySocket: null,
};
const place = (path: string, isPrivate = false) => ({ source: path, target: path, isPrivate });

describe('what a command sees of this machine', () => {
  it('is taken hold of first, then put together from the top down', () => {
    expect(composeRoot(plan)).toEqual({
      takes: [
        ['take', 'system-0', '/usr', ''],
        ['take', 'system-1', '/etc/ssl', ''],
      ],
      builds: [
        ['directory', '/mnt/root', '0755'],
        ['directory', '/mnt/root/etc', '0755'],
        ['link', '/mnt/root/bin', 'usr/bin'],
        ['attach', 'system-0', '/mnt/root/usr', 'read'],
        ['attach', 'system-1', '/mnt/root/etc/ssl', 'read'],
        ['file', '/mnt/root/etc/passwd', '0444', 'sandbox:x:1000:1000::/tmp:/bin/sh\n'],
        ['file', '/mnt/root/etc/group', '0444', 'sandbox:x:1000:\n'],
        ['file', '/mnt/root/etc/hosts', '0444', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
      ],
      binds: [],
    });
  });

  it('has what lies in another part on it, and makes no directory in what is not its own', () => {
    const { builds } = composeRoot({ ...plan, readable: [place('/opt/go/pkg/mod'), place('/opt/go')] });
    expect(builds.filter((words) => words.some((word) => word.includes('/opt')))).toEqual([
      ['directory', '/mnt/root/opt', '0755'],
      ['attach', 'readable-1', '/mnt/root/opt/go', 'read'],
      ['attach', 'readable-0', '/mnt/root/opt/go/pkg/mod', 'read'],
    ]);
  });

  it('leaves to bubblewrap what would lie below its own mounts', () => {
    const { builds, binds } = composeRoot({ ...plan, readable: [place('/tmp/sdk'), place('/tmpfiles')] });
    expect(binds).toEqual([{ source: '/mnt/readable-0', target: '/tmp/sdk', access: 'read' }]);
    expect(builds.filter(([name, part]) => name === 'attach' && part?.startsWith('readable'))).toEqual([
      ['attach', 'readable-1', '/mnt/root/tmpfiles', 'read'],
      ['attach', 'readable-0', '/mnt/readable-0', 'read'],
    ]);
  });

  it('is seen as its owner would see it, by a user that has none of the rights of the owner', () => {
    const readable = [place('/root/sdk', true), place('/opt/sdk')];
    const takes = (kind: 'own' | 'dropped') =>
      composeRoot({ ...plan, account: { ...plan.account, kind }, readable }).takes.slice(2);
    expect([takes('own'), takes('dropped')]).toEqual([
      [
        ['take', 'readable-1', '/opt/sdk', ''],
        ['take', 'readable-0', '/root/sdk', ''],
      ],
      [
        ['take', 'readable-1', '/opt/sdk', ''],
        ['take', 'readable-0', '/root/sdk', 'readable'],
      ],
    ]);
  });
});
