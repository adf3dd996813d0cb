import { describe, expect, it } from 'vitest';
import { findSpecFault } from './find-spec-fault.ts';
import { defaultLimits, type SandboxSpec } from './sandbox.ts';

const ephemeral = { mode: 'ephemeral', files: [], collect: [] } as const;
const spec: SandboxSpec = { argv: ['true'], directory: ephemeral, environment: { A: '' }, limits: defaultLimits };
const file = { path: 'a\0b', bytes: Buffer.from(''), mode: 0o644 } as const;

describe('what no program can be told', () => {
  it.each<[string, Partial<SandboxSpec>, string | null]>([
    ['nothing of the kind', {}, null],
    ['a zero byte in an argument', { argv: ['echo', 'a\0b'] }, 'an argument holds a zero byte'],
    ['one in a value', { environment: { A: 'a\0--bind\0/' } }, 'a variable holds a zero byte'],
    ['one in a name', { environment: { 'A\0B': '' } }, 'a variable holds a zero byte'],
    ['a name that ends early', { environment: { 'A=B': 'c' } }, 'a variable has no proper name'],
    ['no name', { environment: { '': 'c' } }, 'a variable has no proper name'],
    ['a file', { directory: { ...ephemeral, files: [file] } }, 'a path holds a zero byte'],
    ['a file to collect', { directory: { ...ephemeral, collect: ['\0'] } }, 'a path holds a zero byte'],
    ['a workspace', { directory: { mode: 'staged', workspace: '/a\0', hidden: [] } }, 'a path holds a zero byte'],
    ['a hidden path', { directory: { mode: 'bound', workspace: '/a', hidden: ['\0'] } }, 'a path holds a zero byte'],
  ])('is found: %s', (_what, changes, reason) => {
    const found = findSpecFault({ ...spec, ...changes });
    expect(found?.reason ?? null).toBe(reason);
  });
});
