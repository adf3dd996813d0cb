import { expect, it } from 'vitest';
import { explainSignal, type LastSight } from './explain-signal.ts';
import { defaultLimits, type SandboxLimits } from './sandbox.ts';

const limits = { ...defaultLimits, cpuMs: 1000, fileBytes: 4096 };
const keepsFiles = new Set<keyof SandboxLimits>(['fileBytes']);
const sight: LastSight = { elapsedMs: 1100, cpuMs: 990, cpuSeenAtMs: 1090, processors: 2 };
const cpu = { cap: 'cpu', limit: 1000, observed: 1000, unit: 'ms', enforcement: 'kernel', atMs: 1100 };
const file = { cap: 'file', limit: 4096, observed: 4096, unit: 'bytes', enforcement: 'kernel', atMs: 1100 };

it.each([
  ['SIGXCPU is the cap on processor time', 'SIGXCPU', {}, keepsFiles, cpu],
  [
    'SIGXCPU shows more than the limit where more was seen',
    'SIGXCPU',
    { cpuMs: 1300 },
    keepsFiles,
    { ...cpu, observed: 1300 },
  ],
  ['SIGXCPU is only a signal to one that cannot have used that much', 'SIGXCPU', { cpuMs: 30 }, keepsFiles, null],
  ['SIGXCPU may come before anything was seen', 'SIGXCPU', { cpuMs: 0, cpuSeenAtMs: 0 }, keepsFiles, cpu],
  ['SIGXFSZ is the cap on the size of a file', 'SIGXFSZ', {}, keepsFiles, file],
  ['SIGXFSZ is only a signal where the kernel keeps no such cap', 'SIGXFSZ', {}, new Set<keyof SandboxLimits>(), null],
  ['SIGKILL is never guessed to be a cap', 'SIGKILL', { cpuMs: 5000 }, keepsFiles, null],
])('%s', (_title, signal, seen, keptByKernel, hit) => {
  expect(explainSignal(signal, { ...sight, ...seen }, { limits, keptByKernel })).toEqual(hit);
});

it('explains nothing by a cap that is not set', () => {
  const caps = { limits: { ...limits, cpuMs: null, fileBytes: null }, keptByKernel: keepsFiles };
  expect([explainSignal('SIGXCPU', sight, caps), explainSignal('SIGXFSZ', sight, caps)]).toEqual([null, null]);
});
