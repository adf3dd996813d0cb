import { describe, expect, it } from 'vitest';
import { fakeRunId } from '../../test/cli/fake-request.ts';
import type { Decided } from '../engine/index.ts';
import { toDecidedLines } from './decided-lines.ts';

const decided = { request: 'q:1', runId: fakeRunId, remembered: null } as const;
const remembered: NonNullable<Decided['remembered']> = {
  scope: 'project',
  rule: { act: 'write', effect: 'allow', pattern: 'src/*' },
  file: '/home/policy.jsonc',
  preview: {
    matched: [{ run: fakeRunId, act: 'write', target: 'src/\u202ea', effect: 'ask' }],
    matchedCount: 7,
    newlyAllowed: 3,
    origin: 'project',
  },
  overruledBy: null,
};

describe('what came of an answer', () => {
  it('is said in a line', () => {
    expect([
      ...toDecidedLines({ ...decided, decision: 'approve' }),
      ...toDecidedLines({ ...decided, decision: 'deny' }),
    ]).toEqual(['approved q:1', 'denied q:1']);
  });

  it('leaves what was put off to anybody', () => {
    expect(toDecidedLines({ ...decided, decision: 'defer' })).toEqual([
      'deferred q:1',
      '  anybody may answer it: io-studio decide q:1 approve|deny',
    ]);
  });

  it('shows a remembered rule with where it stands and what it means for acts of before', () => {
    expect(toDecidedLines({ ...decided, decision: 'approve', remembered })).toEqual([
      'approved q:1',
      '  remembered (project, /home/policy.jsonc): allow write "src/*"',
      '  it matches 7 earlier acts, and newly allows 3 of them',
      '    ask  write src/\\u{202e}a',
    ]);
  });

  it('says when a stricter rule stands against a remembered one', () => {
    const overruled = { ...remembered, overruledBy: 'src/*' };
    expect(toDecidedLines({ ...decided, decision: 'approve', remembered: overruled })[2]).toBe(
      '  it changes nothing: "src/*" in the same file is stricter',
    );
  });
});
