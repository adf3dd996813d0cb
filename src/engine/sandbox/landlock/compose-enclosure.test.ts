import { describe, expect, it } from 'vitest';
import type { Refusals } from '../launch.ts';
import { defaultLimits } from '../sandbox.ts';
import { composeEnclosure, type EnclosurePlan } from './compose-enclosure.ts';

const plan: EnclosurePlan = {
  account: { kind: 'own', uid: 1000, gid: 1000 },
  directory: '/w',
  environment: { HOME: '/h', PATH: '/usr/bin' },
  limits: { ...defaultLimits, cpuMs: 1500, fileBytes: 4096, processes: 8 },
  controlGroup: null,
  readable: ['/usr', '/proc'],
  writable: ['/box'],
  filter: Uint8Array.of(0, 1, 255),
  argv: ['/usr/bin/true', 'one'],
};

describe('what the launcher is told where Landlock encloses a command', () => {
  it('has the engine user keep its rights, and needs a kernel that keeps its other processes apart', () => {
    expect(composeEnclosure(plan)).toEqual([
      ['enter', '/w'],
      ['environment', 'HOME', '/h', 'PATH', '/usr/bin'],
      ['hold'],
      ['limit', '4', '0', '0'],
      ['limit', '7', '4096', '4096'],
      ['limit', '0', '2', '3'],
      ['limit', '1', '4096', '4096'],
      ['landlock', '6', '2', '/usr', '/proc', '/box'],
      ['filter', '0001ff'],
      ['start', '/usr/bin/true', 'one'],
    ]);
  });

  it('gives up the superuser before anything else, and lets the kernel count the processes of a user made for it', () => {
    const instructions = composeEnclosure({ ...plan, account: { kind: 'dropped', uid: 61_200, gid: 61_201 } });
    expect([instructions[0], instructions.find(([, resource]) => resource === '6')]).toEqual([
      ['become', '61200', '61201'],
      ['limit', '6', '9', '9'],
    ]);
    expect(instructions).toContainEqual(['landlock', '3', '2', '/usr', '/proc', '/box']);
  });

  it('has its control group refuse processes first, which tells of it', () => {
    const account = { kind: 'dropped', uid: 61_200, gid: 61_201 } as const;
    const mostWith = (keeps: readonly (keyof Refusals)[]) =>
      composeEnclosure({ ...plan, account, controlGroup: { keeps: new Set(keeps) } }).find(
        ([, resource]) => resource === '6',
      )?.[2];
    expect([mostWith(['memoryBytes']), mostWith(['processes'])]).toEqual(['9', '73']);
  });

  it('sets no limit where none is given', () => {
    const limits = { ...plan.limits, cpuMs: null, fileBytes: null, processes: null };
    const account = { kind: 'dropped', uid: 1, gid: 1 } as const;
    expect(composeEnclosure({ ...plan, account, limits }).filter(([name]) => name === 'limit')).toEqual([
      ['limit', '4', '0', '0'],
      ['limit', '7', '4096', '4096'],
    ]);
  });
});
