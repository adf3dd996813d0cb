import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOwnGroup } from './find-own-group.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'own-group-'));
});
afterEach(() => rmSync(place, { recursive: true }));

function find(own: string, mounts: readonly string[]) {
  const sources = { own: join(place, 'own'), mounts: join(place, 'mounts') };
  writeFileSync(sources.own, own);
  writeFileSync(sources.mounts, `${mounts.join('\n')}\n`);
  return findOwnGroup(sources);
}

const mount = (root: string, directory: string, kind = 'cgroup2', tags = ''): string =>
  `41 31 0:38 ${root} ${directory} rw,relatime${tags} - ${kind} ${kind} rw`;
const whole = mount('/', '/sys/fs/cgroup');

describe('the control group of this process', () => {
  it.each([
    ['below where the hierarchy is mounted', '0::/user.slice/a.scope\n', [whole], '/sys/fs/cgroup/user.slice/a.scope'],
    ['the topmost one', '0::/\n', [whole], '/sys/fs/cgroup/'],
    ['beside older hierarchies', '4:memory:/x\n0::/a\n', [mount('/', '/m', 'cgroup'), whole], '/sys/fs/cgroup/a'],
    ['in a mount with more to say', '0::/a\n', [mount('/', '/g', 'cgroup2', ' shared:9 master:1')], '/g/a'],
    ['in a part of it that is mounted alone', '0::/box/a\n', [mount('/box', '/g')], '/g/a'],
    ['at a path with a blank', '0::/a\n', [mount('/', '/my\\040groups')], '/my groups/a'],
    ['in the first mount that shows it', '0::/a/b\n', [mount('/other', '/o'), whole], '/sys/fs/cgroup/a/b'],
  ])('is found %s', (_title, own, mounts, path) => {
    expect(find(own, mounts)).toEqual({ kind: 'found', path });
  });

  it.each([
    ['on a system with the older hierarchies alone', '4:memory:/a\n', [mount('/', '/m', 'cgroup')]],
    ['where nothing of it is mounted', '0::/a\n', []],
    ['on a system without any', '', []],
  ])('is none %s', (_title, own, mounts) => {
    expect(find(own, mounts)).toEqual({ kind: 'none', reason: 'there is no cgroup v2 hierarchy' });
  });

  it.each([
    ['above what this process may see', '0::/../a\n', [whole]],
    ['beside what is mounted', '0::/boxes\n', [mount('/box', '/g')]],
  ])('is out of reach %s', (_title, own, mounts) => {
    const name = own.trim().slice(3);
    const reason = `the control group of the engine, ${name}, is out of its sight`;
    expect(find(own, mounts)).toEqual({ kind: 'none', reason });
  });

  it('is none where /proc says nothing', () => {
    const missing = { own: join(place, 'none'), mounts: join(place, 'none') };
    expect(findOwnGroup(missing)).toEqual({ kind: 'none', reason: 'there is no cgroup v2 hierarchy' });
  });
});
