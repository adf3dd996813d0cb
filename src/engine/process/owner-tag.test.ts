import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readOwnTag, readTagOwner, toTag } from './owner-tag.ts';
import { type ProcessIdentity, readProcessIdentity } from './process-identity.ts';

const self = readProcessIdentity();

describe('a tag', () => {
  it.each<[what: string, change: Partial<ProcessIdentity>, owner: { isAlive: boolean; isOfThisBoot: boolean }]>([
    ['of this process', {}, { isAlive: true, isOfThisBoot: true }],
    ['of an earlier process with this pid', { startTime: '1' }, { isAlive: false, isOfThisBoot: true }],
    ['from before a restart', { bootId: 'other' }, { isAlive: false, isOfThisBoot: false }],
    ['of another machine', { machineId: 'other', bootId: 'other' }, { isAlive: true, isOfThisBoot: false }],
    ['of another pid namespace', { pidNamespace: 'other' }, { isAlive: true, isOfThisBoot: true }],
    ['that knows no more than the pid', { startTime: '', bootId: '' }, { isAlive: true, isOfThisBoot: false }],
  ])('%s tells whether its owner lives', (_what, change, owner) => {
    const tag = toTag({ ...self, ...change });
    expect([tag, `${tag}.x7Gh2k`].map(readTagOwner)).toEqual([
      { tag, ...owner },
      { tag, ...owner },
    ]);
  });

  it('of a process that has ended tells so', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(readTagOwner(toTag({ ...self, pid }))).toMatchObject({ isAlive: false, isOfThisBoot: true });
  });

  it.each(['', 'systemd-private-1', '12-34', `x${readOwnTag()}`, `${readOwnTag()}x`, `0${readOwnTag()}`, '-----'])(
    'is not read out of %j',
    (name) => {
      expect(readTagOwner(name)).toBe(null);
    },
  );
});
