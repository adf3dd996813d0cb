import { describe, expect, it } from 'vitest';
import { findCapHit, type TreeUse, toTreeUse } from './find-cap-hit.ts';
import type { Refusals, TreeUsage } from './launch.ts';
import { type CapHit, defaultLimits, type SandboxLimits } from './sandbox.ts';

const limits: SandboxLimits = {
  ...defaultLimits,
  wallMs: 1000,
  writtenBytes: 10,
  memoryBytes: 100,
  processes: 3,
  cpuMs: 50,
  diskBytes: 70,
};
const caps = { limits, keptByKernel: new Set<keyof SandboxLimits>() };
const within: TreeUse = {
  memoryUpperBytes: 100,
  memoryBytes: 100,
  processes: 3,
  cpuMs: 50,
  disk: { usedBytes: 70, isFull: false },
};
const full = { usedBytes: 70, isFull: true };
const over: TreeUse = { memoryUpperBytes: 101, memoryBytes: 101, processes: 4, cpuMs: 51, disk: full };

function find(seen: { elapsedMs?: number; writtenBytes?: number; use?: Partial<TreeUse> | null }) {
  const use = seen.use === null ? null : { ...within, ...seen.use };
  return findCapHit({ elapsedMs: 999, writtenBytes: 10, refusals: {}, ...seen, use }, caps);
}

describe('the cap that was reached', () => {
  it('is none while everything is at its limit and not over it', () => {
    expect([find({}), find({ use: null })]).toEqual([null, null]);
  });

  const polled = { enforcement: 'polled', atMs: 999 } as const;
  const hits: [Parameters<typeof find>[0], CapHit][] = [
    [{ writtenBytes: 11 }, { cap: 'output', limit: 10, observed: 11, unit: 'bytes', ...polled }],
    [{ elapsedMs: 1000 }, { cap: 'wall', limit: 1000, observed: 1000, unit: 'ms', ...polled, atMs: 1000 }],
    [{ use: { memoryBytes: 101 } }, { cap: 'memory', limit: 100, observed: 101, unit: 'bytes', ...polled }],
    [{ use: { processes: 4 } }, { cap: 'processes', limit: 3, observed: 4, unit: 'processes', ...polled }],
    [{ use: { cpuMs: 51 } }, { cap: 'cpu', limit: 50, observed: 51, unit: 'ms', ...polled }],
    [{ use: { disk: full } }, { cap: 'disk', limit: 70, observed: 70, unit: 'bytes', ...polled }],
  ];
  it.each(hits)('%o is %o', (seen, hit) => {
    expect(find(seen)).toEqual(hit);
  });

  it('is the first in a fixed order where several were reached at once', () => {
    const { memoryBytes, processes, cpuMs } = within;
    const seen = [
      find({ writtenBytes: 11, elapsedMs: 1000, use: over }),
      find({ elapsedMs: 1000, use: over }),
      find({ use: over }),
      find({ use: { ...over, memoryBytes } }),
      find({ use: { ...over, memoryBytes, processes } }),
      find({ use: { ...over, memoryBytes, processes, cpuMs } }),
    ];
    expect(seen.map((hit) => hit?.cap)).toEqual(['output', 'wall', 'memory', 'processes', 'cpu', 'disk']);
  });

  it('is said to be kept by the kernel only where it is', () => {
    const kept = { limits, keptByKernel: new Set<keyof SandboxLimits>(['diskBytes', 'memoryBytes']) };
    const look = (use: Partial<TreeUse>) =>
      findCapHit({ elapsedMs: 1, writtenBytes: 0, refusals: {}, use: { ...within, ...use } }, kept)?.enforcement;
    expect([look({ disk: full }), look({ memoryBytes: 101 })]).toEqual(['kernel', 'polled']);
  });

  it('is reached at the limit itself where the kernel lets nobody go over it', () => {
    const kept = { limits, keptByKernel: new Set<keyof SandboxLimits>(['processes']) };
    const look = (processes: number) =>
      findCapHit({ elapsedMs: 1, writtenBytes: 0, refusals: {}, use: { ...within, processes } }, kept)?.enforcement ??
      null;
    expect([look(2), look(3)]).toEqual([null, 'kernel']);
  });

  it('is the one that the kernel tells of where it does, whatever is counted', () => {
    const kept = { limits, keptByKernel: new Set<keyof SandboxLimits>(['memoryBytes', 'processes']) };
    const look = (refusals: Refusals, use: TreeUse | null = { ...over, cpuMs: 0, disk: null, processes: 3 }) =>
      findCapHit({ elapsedMs: 1, writtenBytes: 0, use, refusals }, kept);
    const by = { enforcement: 'kernel', atMs: 1 };
    const memory = { cap: 'memory', limit: 100, observed: 99, unit: 'bytes', ...by };
    const processes = { cap: 'processes', limit: 3, observed: 3, unit: 'processes', ...by };
    expect([
      look({ memoryBytes: null, processes: null }),
      look({ memoryBytes: 99, processes: 3 }),
      look({ memoryBytes: null, processes: 3 }),
      look({ memoryBytes: 99 }, null),
    ]).toEqual([null, memory, processes, memory]);
  });

  it('is never one that is not set', () => {
    const unlimited = { ...limits, memoryBytes: null, processes: null, cpuMs: null };
    const use = { ...over, disk: null };
    expect(findCapHit({ elapsedMs: 1, writtenBytes: 0, refusals: {}, use }, { ...caps, limits: unlimited })).toBeNull();
  });
});

describe('how much memory is used', () => {
  const usage = (upper: number, exact: number): TreeUsage => ({
    processes: 1,
    cpuMs: 0,
    memoryUpperBytes: upper,
    exactMemoryBytes: () => exact,
    disk: null,
  });
  it.each([
    ['the upper bound while that is within the limit', usage(100, 7), limits, 100],
    ['the exact sum where the upper bound is over it', usage(101, 7), limits, 7],
    ['the upper bound where there is no limit', usage(101, 7), { ...limits, memoryBytes: null }, 101],
  ])('is %s', (_title, used, heldTo, memoryBytes) => {
    const { memoryUpperBytes } = used;
    expect(toTreeUse(used, heldTo)).toEqual({ processes: 1, cpuMs: 0, disk: null, memoryUpperBytes, memoryBytes });
  });
});
