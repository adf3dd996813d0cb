import { describe, expect, it } from 'vitest';
import type { Verification } from '../../shared/verification.ts';
import { describeVerification } from './describe-verification.ts';

const cases: [Verification, string][] = [
  [{ kind: 'none' }, 'Nothing is checked: done when you say so.'],
  [
    { kind: 'fileContains', file: 'a.txt', text: 'one\ntwo' },
    'Done when the file "a.txt" contains the text "one\\ntwo"',
  ],
  [{ kind: 'fileEquals', file: 'a.txt', text: '' }, 'Done when the content of the file "a.txt" is exactly ""'],
  [
    { kind: 'command', argv: ['npm', 'run', 'my test'], expectExit: 0 },
    'Done when the command "npm" "run" "my test" exits with 0',
  ],
  [
    { kind: 'matchesSchema', file: 'a.json', schema: { type: 'array' } },
    'Done when the file "a.json" holds JSON that matches the schema {"type":"array"}',
  ],
  [
    { kind: 'rustCompiles', files: ['a.rs', 'b.rs'] },
    'Done when each of these files compiles as a Rust library of its own: "a.rs", "b.rs"',
  ],
  [
    { kind: 'rustTest', files: ['a.rs'], testSource: 'T' },
    'Done when these Rust tests pass, in one crate with "a.rs":\nT',
  ],
  [
    { kind: 'nodeTest', files: ['a.js'], testSource: 'T' },
    'Done when these tests of node:test pass, beside a copy of "a.js" and nothing else:\nT',
  ],
  [
    { kind: 'pythonTest', files: ['a.py'], testSource: 'T' },
    'Done when these tests of Python\'s unittest pass, beside a copy of "a.py" and nothing else:\nT',
  ],
  [
    { kind: 'goTest', files: ['a.go', 'b.go'], testSource: 'T' },
    'Done when these Go tests pass, in the package of "a.go", "b.go" and beside nothing else:\nT',
  ],
  [
    {
      kind: 'all',
      of: [
        { kind: 'command', argv: ['true'], expectExit: 1 },
        { kind: 'fileEquals', file: 'a', text: 'b' },
      ],
    },
    'Done when all of these hold, in this order:\n1. the command "true" exits with 1\n2. the content of the file "a" is exactly "b"',
  ],
];

describe('describing a criterion', () => {
  it.each(cases)('says %j in words', (verification, text) => {
    expect(describeVerification(verification)).toBe(text);
  });
});
