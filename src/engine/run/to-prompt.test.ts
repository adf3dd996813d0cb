import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TaskContract } from '../../shared/task-contract.ts';
import { describeVerification } from '../contract/describe-verification.ts';
import { systemPrompt, toPrompt } from './to-prompt.ts';

const least = { goal: 'Fix the test.', workspace: '/secret/place', budgets: { steps: null } };
const prompt = (contract: object = {}) => toPrompt(TaskContract.parse({ ...least, ...contract }));

describe('the prompt', () => {
  it('is the goal alone where nothing else is said', () => {
    expect(prompt()).toBe('Task:\nFix the test.');
  });

  it('tells everything the contract says, in one order', () => {
    const verification = { kind: 'fileContains', file: 'a.txt', text: 'x' } as const;
    const given = {
      file: 'a.txt',
      constraints: ['Keep it small.', 'No new file.'],
      expectedOutput: 'A green test.',
      verification,
      budgets: { steps: 5 },
    };
    expect(prompt(given).split('\n\n')).toEqual([
      'Task:\nFix the test.',
      'The task is about this file: a.txt',
      'Constraints:\n- Keep it small.\n- No new file.',
      'Expected output:\nA green test.',
      ...describeVerification(verification).split('\n\n'),
      'You have at most 5 turns.',
    ]);
  });

  it('keeps to itself where the workspace lies, which model runs and what may be spent', () => {
    const spend = { steps: null, wallMs: 123_456, tokens: 654_321, costUsd: 7.77, riskyActs: 9 };
    expect(prompt({ budgets: spend, model: 'secret-model', provider: 'openai' })).toBe(prompt());
  });

  it('is the same to the byte for the same contract, whatever the day (goruck/home-generative-agent#617)', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.string({ minLength: 1 })), (goal, constraints) => {
        fc.pre(goal.trim() !== '');
        const contract = { goal, constraints };
        expect(prompt(contract)).toBe(prompt(structuredClone(contract)));
      }),
    );
    expect(`${systemPrompt}\n${prompt()}`).not.toMatch(/\d{4}|\d:\d|today|now is/i);
  });
});
