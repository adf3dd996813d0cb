import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isStillThere, parseStat, readNewestPid, readProcessRow, readProcessTable } from './process-table.ts';

const hasProc = process.platform === 'linux';

describe('process table', () => {
  it('reads a process whose name holds blanks and brackets', () => {
    const fields = ['S', 7, 8, 9, 0, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 0, 3, 0, 777, 999, 55, 1];
    expect(parseStat(`42 (a) Z (b) ${fields.join(' ')}`)).toEqual({
      pid: 42,
      parentPid: 7,
      groupId: 8,
      startTime: 777,
      residentPages: 55,
      threads: 3,
      hasMemory: true,
      ownTicks: 11,
      childTicks: 15,
      ended: false,
    });
  });

  it('is undefined for a line that is cut off', () => {
    expect(parseStat('42 (sh) S 1 2')).toBeUndefined();
  });

  it.runIf(hasProc)('holds this very process (needs /proc)', () => {
    const table = readProcessTable();
    expect(table.find((row) => row.pid === process.pid)?.parentPid).toBe(process.ppid);
  });

  it('is undefined for a process that is not there', () => {
    expect(readProcessRow(2 ** 30)).toBeUndefined();
  });

  it.runIf(hasProc)('does not take another start for the same process (needs /proc)', () => {
    const { pid, startTime } = readProcessRow(process.pid) ?? { pid: 0, startTime: 0 };
    expect([isStillThere({ pid, startTime }), isStillThere({ pid, startTime: startTime + 1 })]).toEqual([true, false]);
  });

  it.runIf(hasProc)('tells by the newest number that somebody was born (needs /proc)', async () => {
    const before = readNewestPid();
    await once(spawn('/bin/true'), 'exit');
    expect(readNewestPid()).not.toBe(before);
  });
});
