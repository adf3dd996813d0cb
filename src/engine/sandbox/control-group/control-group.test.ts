import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ControlGroupOptions, limitGroup } from './control-group.ts';

const mebi = 1024 ** 2;
const options: ControlGroupOptions = { limits: { memoryBytes: 64 * mebi, processes: 8 }, ownProcesses: 2 };

let group = '';
beforeEach(() => {
  group = mkdtempSync(join(tmpdir(), 'control-group-'));
});
afterEach(() => rmSync(group, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(group, name), text);
}

const read = (...names: string[]): string[] => names.map((name) => readFileSync(join(group, name), 'utf8'));

const memory = {
  'memory.max': '',
  'memory.oom.group': '',
  'memory.swap.max': '',
  'memory.swap.current': '0\n',
  'memory.current': '4096\n',
  'memory.events': 'low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n',
};
const pids = { 'pids.max': '', 'pids.current': '5\n', 'pids.peak': '5\n', 'pids.events': 'max 0\n' };

describe('the caps of a control group', () => {
  it('are those of the command and of what encloses it, and memory is not to be had as swap', () => {
    put({ ...memory, ...pids });
    const { keeps } = limitGroup(group, options);
    expect([...keeps]).toEqual(['memoryBytes', 'processes']);
    expect(read('memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max')).toEqual(['67108864', '0', '1', '10']);
  });

  it.each([
    ['processes where memory cannot be capped', pids, ['processes']],
    ['memory where processes cannot be counted', memory, ['memoryBytes']],
    ['none where nothing can', {}, []],
  ])('are %s', (_title, files, kept) => {
    put(files);
    expect([...limitGroup(group, options).keeps]).toEqual(kept);
  });

  it('are not kept where a part of the command could be ended alone, or swapped out', () => {
    put({ 'memory.max': '', 'memory.swap.max': '', 'memory.swap.current': '0' });
    expect([...limitGroup(group, options).keeps]).toEqual([]);
    rmSync(join(group, 'memory.swap.max'));
    put({ 'memory.oom.group': '' });
    expect([...limitGroup(group, options).keeps]).toEqual([]);
    expect(read('memory.max')).toEqual(['']);
  });

  it('are none where none is set', () => {
    put({ ...memory, ...pids });
    const { keeps } = limitGroup(group, { ...options, limits: { memoryBytes: null, processes: null } });
    expect([...keeps, ...read('memory.max', 'pids.max')]).toEqual(['', '']);
  });
});

describe('what a control group tells', () => {
  it('is what its command uses, without what encloses it', () => {
    put({ ...memory, ...pids, 'cpu.stat': 'usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n' });
    expect(limitGroup(group, options).readUsage()).toEqual({ processes: 3, cpuMs: 1.5, memoryBytes: 4096 });
  });

  it('is unknown where the file is missing', () => {
    expect(limitGroup(group, options).readUsage()).toEqual({ processes: null, cpuMs: null, memoryBytes: null });
  });

  it.each<[string, Record<string, string>, object]>([
    ['nothing while nothing was', {}, { memoryBytes: null, processes: null }],
    ['memory', { 'memory.events': 'oom 1\noom_kill 3\n' }, { memoryBytes: 67108864, processes: null }],
    [
      'memory, with the most it held',
      { 'memory.events': 'oom 1\noom_kill 3\n', 'memory.peak': '67100672\n' },
      { memoryBytes: 67100672, processes: null },
    ],
    [
      'nothing where the whole system ran out of memory',
      { 'memory.events': 'oom 0\noom_kill 1\n' },
      { memoryBytes: null, processes: null },
    ],
    [
      'nothing where memory could be taken back after all',
      { 'memory.events': 'oom 2\noom_kill 0\n' },
      { memoryBytes: null, processes: null },
    ],
    ['processes', { 'pids.events': 'max 4\n', 'pids.peak': '10\n' }, { memoryBytes: null, processes: 8 }],
    [
      'nothing where a limit further up refused a process',
      { 'pids.events': 'max 4\n', 'pids.peak': '6\n' },
      { memoryBytes: null, processes: null },
    ],
  ])('as refused is %s', (_title, files, refusals) => {
    put({ ...memory, ...pids });
    const limited = limitGroup(group, options);
    put(files);
    expect(limited.readRefusals()).toEqual(refusals);
  });

  it('is nothing of a cap that it no longer keeps', () => {
    put({ ...memory, ...pids });
    const limited = limitGroup(group, options);
    rmSync(join(group, 'memory.events'));
    rmSync(join(group, 'pids.events'));
    expect(limited.readRefusals()).toEqual({});
  });
});
