import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFault } from './claim-own-group.ts';

let group = '';
beforeEach(() => {
  group = mkdtempSync(join(tmpdir(), 'claim-group-'));
  put({ 'cgroup.type': 'domain\n', 'cgroup.procs': `${process.pid}\n`, 'cgroup.subtree_control': '' });
});
afterEach(() => rmSync(group, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(group, name), text);
}

describe.runIf(process.platform === 'linux')('a control group that the engine may make its own (needs Linux)', () => {
  it('holds nobody but the engine', () => {
    expect(findFault(group)).toBeNull();
  });

  it('may be empty', () => {
    put({ 'cgroup.procs': '' });
    expect(findFault(group)).toBeNull();
  });

  it('is not the topmost one, which is the whole system’s', () => {
    rmSync(join(group, 'cgroup.type'));
    expect(findFault(group)).toBe('the engine runs in the topmost control group, which is that of the whole system');
  });

  it('is not one in which no caps can be set', () => {
    put({ 'cgroup.type': 'domain threaded\n' });
    expect(findFault(group)).toBe(`${group} is of the kind domain threaded, in which no groups with caps can be made`);
  });

  it('is not one that cannot be written', () => {
    rmSync(join(group, 'cgroup.subtree_control'));
    expect(findFault(group)).toBe(`${group} may not be written`);
  });

  it('is not one with others in it, also with those that started the engine', () => {
    put({ 'cgroup.procs': `${process.ppid}\n${process.pid}\n` });
    expect(findFault(group)).toBe(`others run in ${group} beside the engine (process ${process.ppid})`);
  });

  it('is not one with others in it that cannot be told, and does not name all of many', () => {
    const { pid } = spawnSync('/bin/true');
    put({ 'cgroup.procs': `0\n${pid}\n1\n${process.ppid}\n` });
    const named = `one that cannot be seen from here, process ${pid}, process 1`;
    expect(findFault(group)).toBe(`others run in ${group} beside the engine (${named})`);
  });
});
