import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDescendantOf } from './is-descendant.ts';
import { readProcessRow } from './process-table.ts';

const hasProc = process.platform === 'linux';
const startOf = (pid: number): string => String(readProcessRow(pid)?.startTime ?? '');

/** What a process that this one started by way of a shell says of itself. */
function askChild(pid: number, startTime: string): string {
  const source = join(import.meta.dirname, 'is-descendant.ts');
  const script = `import { isDescendantOf } from ${JSON.stringify(source)};
    console.log(isDescendantOf(${pid}, ${JSON.stringify(startTime)}));`;
  const line = '"$0" --input-type=module -e "$1"; exit $?';
  return spawnSync('/bin/sh', ['-c', line, process.execPath, script], { env: {} }).stdout.toString().trim();
}

describe.runIf(hasProc)('a process (needs /proc)', () => {
  it('descends from the one that started its shell, whatever its environment says', () => {
    expect(askChild(process.pid, startOf(process.pid))).toBe('true');
  });

  it('descends from it also when nobody knows when that one started', () => {
    expect(askChild(process.pid, '')).toBe('true');
  });

  it('does not descend from an earlier process of the same number', () => {
    expect(askChild(process.pid, '1')).toBe('false');
  });

  it('does not descend from itself or from its own children', () => {
    expect(isDescendantOf(process.pid, startOf(process.pid))).toBe(false);
  });

  it('descends from its parent', () => {
    expect(isDescendantOf(process.ppid, startOf(process.ppid))).toBe(true);
  });
});

describe('a chain of parents', () => {
  it('that runs in a circle comes to an end', () => {
    const rows = new Map([
      [process.pid, { pid: process.pid, parentPid: 7, startTime: 1 }],
      [7, { pid: 7, parentPid: 8, startTime: 1 }],
      [8, { pid: 8, parentPid: 7, startTime: 1 }],
    ]);
    expect(isDescendantOf(9, '', (pid) => rows.get(pid))).toBe(false);
  });

  it('that nobody can see holds nobody', () => {
    expect(isDescendantOf(1, '', () => undefined)).toBe(false);
  });
});
