import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCpuMs, parseEnvironments, parseProcessList } from './parse-process-list.ts';

const identity = '501 Mon Nov 30 13:12:00 2026';

describe('a list of processes', () => {
  it('is read as macOS prints it, without lines that are no process', () => {
    const text = [
      '    1     0     1  12345   3:14.15 Ss   Sun Nov  1 08:00:00 2026    ',
      '  501     1   501   2048   0:00.05 S+   Mon Nov 30 13:12:00 2026    ',
      '  502   501   501      0   0:00.00 Z    Mon 30 Nov 13:12:01 2026    ',
      'ps: something is wrong',
      '',
    ].join('\n');
    expect(parseProcessList(text)).toEqual([
      {
        pid: 1,
        identity: '1 Sun Nov 1 08:00:00 2026',
        parentPid: 0,
        groupId: 1,
        residentBytes: 12_641_280,
        cpuMs: 194_150,
        ended: false,
      },
      { pid: 501, identity, parentPid: 1, groupId: 501, residentBytes: 2_097_152, cpuMs: 50, ended: false },
      {
        pid: 502,
        identity: '502 Mon 30 Nov 13:12:01 2026',
        parentPid: 501,
        groupId: 501,
        residentBytes: 0,
        cpuMs: 0,
        ended: true,
      },
    ]);
  });

  it.each<[string, number | null]>([
    ['0:00.05', 50],
    ['0:00,05', 50],
    ['1234:56.78', 74_096_780],
    ['01:02:03', 3_723_000],
    ['2-01:02:03', 176_523_000],
    ['-', null],
    ['12', null],
    ['1:2', null],
  ])('takes %s for %s ms of processor time', (time, cpuMs) => {
    expect(parseCpuMs(time)).toBe(cpuMs);
  });

  it('is never more than was printed, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseProcessList(text).length + parseEnvironments(text, 'MARK').size).toBeLessThanOrEqual(
          2 * text.split('\n').length,
        );
      }),
    );
  });
});

describe('the environments of processes', () => {
  it('tell the value of a variable of those that have it', () => {
    const text = [
      '  501 Mon Nov 30 13:12:00 2026     /bin/sleep 600 HOME=/tmp MARK=one LANG=C',
      '  502 Mon Nov 30 13:12:00 2026     node MARK=two',
      '  503 Mon Nov 30 13:12:00 2026     echo NOMARK=three MARKED=four',
    ].join('\n');
    expect(parseEnvironments(text, 'MARK')).toEqual(
      new Map([
        [identity, 'one'],
        ['502 Mon Nov 30 13:12:00 2026', 'two'],
      ]),
    );
  });
});
