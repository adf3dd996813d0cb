import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatContractProblems, parseContract } from './parse-contract.ts';

const wireForm = {
  goal: 'Fix it',
  workspace: '/w',
  file: null,
  constraints: [],
  expectedOutput: null,
  verification: { kind: 'fileContains', file: 'a.txt', text: 'x' },
  budgets: { steps: 12, wallMs: 1000, tokens: 5, costUsd: 0.5, retries: 2, riskyActs: 0 },
  protect: [],
  recovery: null,
  plan: false,
  containment: null,
  model: null,
  provider: null,
};

describe('parsing a contract', () => {
  it('takes the wire form as it is', () => {
    expect(parseContract(wireForm)).toEqual({ kind: 'ok', contract: wireForm });
  });

  it('fills in what was left out', () => {
    expect(parseContract({ goal: 'Fix it', workspace: '/w', budgets: { tokens: 9 } })).toEqual({
      kind: 'ok',
      contract: {
        ...wireForm,
        verification: { kind: 'none' },
        budgets: { steps: 12, wallMs: null, tokens: 9, costUsd: null, retries: 2, riskyActs: null },
      },
    });
  });

  it('takes null as no limit', () => {
    const parsed = parseContract({ ...wireForm, budgets: { steps: null, retries: null } });
    expect(parsed).toMatchObject({ kind: 'ok', contract: { budgets: { steps: null, retries: null } } });
  });

  it('names every problem with its path', () => {
    const parsed = parseContract({
      goal: ' ',
      workspace: 'relative',
      'odd key': 1,
      verification: {
        kind: 'all',
        of: [
          { kind: 'command', argv: ['true'] },
          { kind: 'fileEquals', text: '' },
        ],
      },
      budgets: { step: 3 },
    });
    if (parsed.kind === 'ok') throw new Error('parsed');
    expect(parsed.problems.map((problem) => problem.path).sort()).toEqual([
      '["odd key"]',
      'budgets.step',
      'goal',
      'verification.of[1].file',
      'workspace',
    ]);
  });

  it.each(['mcp'])('refuses the reserved name %s and says that it is one', (name) => {
    expect(parseContract({ ...wireForm, [name]: {} })).toEqual({
      kind: 'invalid',
      problems: [{ path: name, message: expect.stringContaining('reserved name') }],
    });
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(['ok', 'invalid']).toContain(parseContract(input).kind);
      }),
    );
  });
});

describe('the message about problems', () => {
  it('holds all of them, a line each', () => {
    const problems = [
      { path: 'goal', message: 'is empty' },
      { path: '', message: 'is no object' },
    ];
    expect(formatContractProblems(problems)).toBe(
      'The contract has 2 problems:\n  goal: is empty\n  the contract: is no object',
    );
  });
});
