import { describe, expect, it } from 'vitest';
import { toRecoveryPolicy } from './to-recovery-policy.ts';

describe('who settles a call of which nobody can know what became', () => {
  it('follows from who answers questions, where nobody has chosen', () => {
    const postures = ['ask', 'defer', 'all', 'deny', 'model'] as const;
    expect(postures.map((posture) => toRecoveryPolicy(null, posture))).toEqual([
      'ask',
      'ask',
      'tell-model',
      'tell-model',
      'tell-model',
    ]);
  });

  it('is whoever was chosen', () => {
    expect([toRecoveryPolicy('ask', 'all'), toRecoveryPolicy('tell-model', 'ask')]).toEqual(['ask', 'tell-model']);
  });
});
