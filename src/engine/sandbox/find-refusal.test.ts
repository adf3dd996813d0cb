import { expect, it } from 'vitest';
import { findRefusal } from './find-refusal.ts';

const limits = { memoryBytes: 100, processes: 3 };
const by = { enforcement: 'kernel', atMs: 7 } as const;
const memory = { cap: 'memory', limit: 100, observed: 98, unit: 'bytes', ...by } as const;
const processes = { cap: 'processes', limit: 3, observed: 3, unit: 'processes', ...by } as const;

it.each([
  ['memory', { memoryBytes: 98, processes: null }, memory],
  ['processes', { memoryBytes: null, processes: 3 }, processes],
  ['memory before processes', { memoryBytes: 98, processes: 3 }, memory],
  ['nothing that was not refused', { memoryBytes: null, processes: null }, null],
  ['nothing where the kernel does not say', {}, null],
] as const)('what the kernel has refused is told: %s', (_title, refusals, hit) => {
  expect(findRefusal(refusals, 7, limits)).toEqual(hit);
});

it('a cap that is not set cannot have been reached', () => {
  expect(findRefusal({ memoryBytes: 98, processes: 3 }, 7, { memoryBytes: null, processes: null })).toBeNull();
});
