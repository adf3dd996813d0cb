import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isOwnerAlive, type LivenessSign, type OwnerLife } from './is-owner-alive.ts';
import { type ProcessIdentity, readProcessIdentity, readProcessState, readSystemIdentity } from './process-identity.ts';

const self = readProcessIdentity();
const drives = `process ${self.pid} drives it`;
const seen = (why: string): OwnerLife => ({ alive: true, certain: true, why });
const presumed = (why: string): OwnerLife => ({ alive: true, certain: false, why });
const dead = (why: string): OwnerLife => ({ alive: false, certain: true, why });

describe('the owner of a lease or a lock', () => {
  it.each<[change: Partial<ProcessIdentity>, life: OwnerLife]>([
    [{}, seen(drives)],
    [{ machineId: 'other' }, presumed('its owner is on another machine')],
    [{ machineId: 'other', bootId: 'other' }, presumed('its owner is on another machine')],
    [{ bootId: 'other' }, dead('the machine was restarted since')],
    [{ bootId: 'other', pidNamespace: 'other' }, dead('the machine was restarted since')],
    [{ pidNamespace: 'other' }, presumed('its owner is in another pid namespace')],
    [{ startTime: '1' }, dead(`process ${self.pid} is another one by now`)],
    [{ bootId: '', startTime: '' }, presumed(drives)],
  ])('with %j is %j', (change, life) => {
    expect(isOwnerAlive({ ...self, ...change })).toEqual(life);
  });

  const elsewhere: [change: Partial<ProcessIdentity>, where: string][] = [
    [{ pidNamespace: 'other' }, 'in another pid namespace'],
    // Two containers on one kernel, each with a name of its own.
    [{ machineId: 'other' }, 'on another machine'],
  ];
  it.each(
    elsewhere.flatMap(([change, where]): [Partial<ProcessIdentity>, LivenessSign, OwnerLife][] => [
      [change, 'held', seen(`its owner ${where} is at work`)],
      [change, 'free', dead(`its owner ${where} has ended`)],
      [change, 'unknown', presumed(`its owner is ${where}`)],
    ]),
  )('with %j and the sign "%s" is %j', (change, sign, life) => {
    const sources = { system: readSystemIdentity(), readState: readProcessState, readSign: () => sign };
    expect(isOwnerAlive({ ...self, ...change }, sources)).toEqual(life);
  });

  it('on another kernel is never dead by a sign: a lock over the network proves nothing', () => {
    const sources = { system: readSystemIdentity(), readState: readProcessState, readSign: () => 'free' as const };
    const owner = { ...self, machineId: 'other', bootId: 'other' };
    expect(isOwnerAlive(owner, sources)).toEqual(presumed('its owner is on another machine'));
  });

  it('that has ended is dead', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isOwnerAlive({ ...self, pid })).toEqual(dead(`process ${pid} has ended`));
  });

  it('that the system tells nothing about but that it exists is not presumed dead', () => {
    const sources = { system: { ...self, bootId: '' }, readState: () => ({ startTime: '', ended: false }) };
    expect(isOwnerAlive(self, sources)).toEqual(presumed(drives));
  });

  it('that is a zombie is dead', () => {
    const sources = { system: self, readState: () => ({ startTime: self.startTime, ended: true }) };
    expect(isOwnerAlive(self, sources)).toEqual(dead(`process ${self.pid} has ended`));
  });
});
