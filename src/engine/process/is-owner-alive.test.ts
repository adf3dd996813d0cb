import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isOwnerAlive } from './is-owner-alive.ts';
import { type ProcessIdentity, readProcessIdentity } from './process-identity.ts';

const self = readProcessIdentity();

describe('the owner of a lease or a lock', () => {
  it.each<[change: Partial<ProcessIdentity>, alive: boolean, why: string]>([
    [{}, true, `process ${self.pid} drives it`],
    [{ machineId: 'other' }, true, 'its owner is on another machine'],
    [{ machineId: 'other', bootId: 'other' }, true, 'its owner is on another machine'],
    [{ bootId: 'other' }, false, 'the machine was restarted since'],
    [{ bootId: 'other', pidNamespace: 'other' }, false, 'the machine was restarted since'],
    [{ pidNamespace: 'other' }, true, 'its owner is in another pid namespace'],
    [{ startTime: '1' }, false, `process ${self.pid} is another one by now`],
    [{ bootId: '', startTime: '' }, true, `process ${self.pid} drives it`],
  ])('with %j is alive: %s', (change, alive, why) => {
    expect(isOwnerAlive({ ...self, ...change })).toEqual({ alive, why });
  });

  it('that has ended is dead', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isOwnerAlive({ ...self, pid })).toEqual({ alive: false, why: `process ${pid} has ended` });
  });

  it('that the system tells nothing about but that it exists is not presumed dead', () => {
    const sources = { system: { ...self, bootId: '' }, readState: () => ({ startTime: '', ended: false }) };
    expect(isOwnerAlive(self, sources)).toEqual({ alive: true, why: `process ${self.pid} drives it` });
  });

  it('that is a zombie is dead', () => {
    const sources = { system: self, readState: () => ({ startTime: self.startTime, ended: true }) };
    expect(isOwnerAlive(self, sources)).toEqual({ alive: false, why: `process ${self.pid} has ended` });
  });
});
