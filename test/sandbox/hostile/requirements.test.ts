// That every requirement is proven by something that there is, and that every hostile program proves one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bombExpectations, probeExpectations } from '../expectations.ts';
import { matrix } from './matrix.ts';
import { acceptanceCases, allowListCases, extraPrograms, type Requirement } from './requirements.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const programs = [...Object.keys(probeExpectations), ...Object.keys(bombExpectations)];
const requirements: readonly Requirement[] = [...acceptanceCases, ...matrix];
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('the requirements of a sandbox', () => {
  it('are forty cases, fifty-six attempts and twelve ways through a network, each with its number', () => {
    expect(acceptanceCases.map(({ number }) => number)).toEqual(upTo(40));
    expect(matrix.map(({ number }) => number)).toEqual(upTo(56));
    expect(new Set(allowListCases).size).toBe(12);
  });

  it('are proven, each of them, by a program that is run or a test that stands where it says', () => {
    const unproven = requirements.filter(({ programs, tests = [] }) => programs.length + tests.length === 0);
    const unknown = requirements.flatMap((each) => each.programs).filter((name) => !programs.includes(name));
    const missing = requirements
      .flatMap(({ tests = [] }) => tests)
      .filter(({ file, title }) => !read(file).includes(title));
    expect({ unproven, unknown, missing }).toEqual({ unproven: [], unknown: [], missing: [] });
  });

  it('leave no program out that is run', () => {
    const cited = new Set([...requirements.flatMap((each) => each.programs), ...extraPrograms]);
    expect(programs.filter((name) => !cited.has(name))).toEqual([]);
  });

  it('have the same programs in the tables as in the files that are run', () => {
    const probes = [...read('test/sandbox/hostile/probes.py').matchAll(/^@probe\ndef (\w+)\(/gm)];
    const bombs = [...read('test/sandbox/hostile/bombs.py').matchAll(/^ {4}"([\w-]+)": /gm)];
    // Seen from outside, or before everything else.
    const others = ['collect-link', 'inherited-descriptors', 'take-over-set-id', 'write-workspace'];
    expect([...probes.map(([, name = '']) => name.replaceAll('_', '-')), ...others].sort()).toEqual(
      Object.keys(probeExpectations).sort(),
    );
    expect(bombs.map(([, name]) => name).sort()).toEqual(Object.keys(bombExpectations).sort());
  });
});
