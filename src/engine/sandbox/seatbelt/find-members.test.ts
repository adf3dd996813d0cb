import { describe, expect, it } from 'vitest';
import { findMembers, type Lineage } from './find-members.ts';
import type { ListedProcess } from './parse-process-list.ts';

const row = (pid: number, parentPid: number, groupId: number, began = 'now'): ListedProcess => ({
  pid,
  identity: `${pid} ${began}`,
  parentPid,
  groupId,
  residentBytes: 0,
  cpuMs: 0,
  ended: false,
});

const lineage: Lineage = { pid: 500, isAlive: true, known: new Set(), marked: new Set() };
const pidsOf = (rows: readonly ListedProcess[], changes: Partial<Lineage> = {}): number[] =>
  findMembers(rows, { ...lineage, ...changes }).map(({ pid }) => pid);

describe('a member', () => {
  it.each<[string, readonly ListedProcess[], Partial<Lineage>, number[]]>([
    ['is who is in the group', [row(500, 9, 500), row(501, 500, 500), row(9, 1, 9)], {}, [500, 501]],
    [
      'is who descends from one, whatever its group',
      [row(502, 501, 502), row(501, 500, 501), row(500, 9, 500)],
      {},
      [500, 501, 502],
    ],
    ['is who was seen before, though its parent ended', [row(502, 1, 502)], { known: new Set(['502 now']) }, [502]],
    ['is who carries the mark', [row(502, 1, 502), row(503, 502, 502)], { marked: new Set(['502 now']) }, [502, 503]],
    ['is who is left of the group when its leader is gone', [row(501, 1, 500)], { isAlive: false }, [501]],
    ['is nobody else', [row(9, 1, 9), row(10, 9, 9)], {}, []],
  ])('%s', (_title, rows, changes, pids) => {
    expect(pidsOf(rows, changes)).toEqual(pids);
  });

  it('is no stranger who was given the number of one that ended', () => {
    const stranger = [row(500, 1, 500, 'later'), row(501, 500, 500, 'later')];
    const known = new Set(['500 now', '501 now']);
    expect([pidsOf(stranger, { isAlive: false, known }), pidsOf(stranger, { isAlive: false })]).toEqual([[], []]);
  });
});
