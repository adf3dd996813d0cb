import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeCgroup } from './probe-cgroup.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cgroup-'));
});
afterEach(() => rm(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const probe = () => probeCgroup(join(root, 'fs'), join(root, 'own'));

describe('a control group of our own', () => {
  it('is there where its controllers are and it can be written', () => {
    put('own', '0::/user.slice/engine.scope\n');
    put('fs/user.slice/engine.scope/cgroup.controllers', 'cpuset cpu io memory pids\n');
    put('fs/user.slice/engine.scope/cgroup.procs', '');
    expect(probe()).toEqual({ delegated: true, path: join(root, 'fs/user.slice/engine.scope') });
  });

  it('is not where a controller is missing, and says which', () => {
    put('own', '0::/a\n');
    put('fs/a/cgroup.controllers', 'cpu\n');
    expect(probe()).toEqual({ delegated: false, reason: `memory, pids cannot be controlled in ${join(root, 'fs/a')}` });
  });

  it('is not where it cannot be written', () => {
    put('own', '0::/a\n');
    put('fs/a/cgroup.controllers', 'cpu memory pids\n');
    expect(probe()).toEqual({ delegated: false, reason: `${join(root, 'fs/a')} may not be written` });
  });

  it.each(['', '4:memory:/a\n3:cpu:/a\n'])('is not on a system that says %j', (own) => {
    put('own', own);
    expect(probe()).toEqual({ delegated: false, reason: 'there is no cgroup v2 hierarchy' });
  });
});
