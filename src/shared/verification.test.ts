import { describe, expect, it } from 'vitest';
import { Verification } from './verification.ts';

const leaves = [
  { kind: 'fileContains', file: 'a.txt', text: 'x' },
  { kind: 'fileEquals', file: 'a.txt', text: '' },
  { kind: 'command', argv: ['make', ''], expectExit: 3 },
  { kind: 'matchesSchema', file: 'a.json', schema: { type: 'object' } },
  { kind: 'rustCompiles', files: ['src/lib.rs'] },
  { kind: 'rustTest', files: ['src/lib.rs'], testSource: '#[test] fn t() {}' },
  { kind: 'nodeTest', files: ['a.js'], testSource: 'test()' },
  { kind: 'pythonTest', files: ['a.py'], testSource: 'import unittest' },
  { kind: 'goTest', files: ['a.go'], testSource: 'package a' },
];

describe('a verification', () => {
  it.each([...leaves, { kind: 'all', of: leaves }, { kind: 'none' }])('$kind is taken as it is written', (written) => {
    expect(Verification.parse(written)).toEqual(written);
  });

  it('expects a command to exit with 0 unless it says otherwise, also inside `all`', () => {
    const command = { kind: 'command', argv: ['true'] };
    expect(Verification.parse({ kind: 'all', of: [command] })).toEqual({
      kind: 'all',
      of: [{ ...command, expectExit: 0 }],
    });
  });

  it.each([
    ['a kind that nobody knows', { kind: 'seems-fine' }],
    ['a text that every file contains', { kind: 'fileContains', file: 'a.txt', text: '' }],
    ['a command without a program', { kind: 'command', argv: [] }],
    ['an exit code that no process has', { kind: 'command', argv: ['true'], expectExit: 256 }],
    ['a schema that is no object', { kind: 'matchesSchema', file: 'a.json', schema: true }],
    ['a compile check of nothing', { kind: 'rustCompiles', files: [] }],
    ['a test without a test', { kind: 'nodeTest', files: ['a.js'], testSource: '' }],
    ['all of nothing', { kind: 'all', of: [] }],
    ['nesting', { kind: 'all', of: [{ kind: 'all', of: leaves }] }],
    ['no criterion among criteria', { kind: 'all', of: [{ kind: 'none' }] }],
    ['a key of another kind', { kind: 'none', file: 'a.txt' }],
  ])('is never %s', (_what, value) => {
    expect(Verification.safeParse(value).success).toBe(false);
  });
});
