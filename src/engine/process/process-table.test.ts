import { describe, expect, it } from 'vitest';
import { parseStat, readProcessRow, readProcessTable } from './process-table.ts';

describe('process table', () => {
  it('reads a process whose name holds blanks and brackets', () => {
    const fields = ['S', 7, 8, 9, 0, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 0, 1, 0, 777, 999, 55, 1];
    expect(parseStat(`42 (a) Z (b) ${fields.join(' ')}`)).toEqual({
      pid: 42,
      parentPid: 7,
      groupId: 8,
      startTime: 777,
      residentPages: 55,
      ended: false,
    });
  });

  it('is undefined for a line that is cut off', () => {
    expect(parseStat('42 (sh) S 1 2')).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')(
    'holds this very process and shares one reading within its age (needs /proc)',
    () => {
      const table = readProcessTable();
      expect(table.find((row) => row.pid === process.pid)?.parentPid).toBe(process.ppid);
      expect(readProcessTable(60_000)).toBe(table);
      expect(readProcessTable()).not.toBe(table);
    },
  );

  it('is undefined for a process that is not there', () => {
    expect(readProcessRow(2 ** 30)).toBeUndefined();
  });
});
