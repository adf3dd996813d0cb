import { describe, expect, it } from 'vitest';
import type { Policy } from './policy.ts';
import { toPolicyText } from './to-policy-text.ts';

const policy: Policy = {
  layers: [{ name: 'own', origin: 'user', rules: [{ act: 'read', effect: 'deny', pattern: 'a' }], remedy: 'r' }],
  defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' },
};

describe('toPolicyText', () => {
  it('is the same for equal policies whose keys stand in another order', () => {
    const reordered: Policy = {
      defaults: { net: 'deny', exec: 'ask', write: 'ask', read: 'allow' },
      layers: [{ remedy: 'r', rules: [{ pattern: 'a', effect: 'deny', act: 'read' }], origin: 'user', name: 'own' }],
    };
    expect(toPolicyText(reordered)).toBe(toPolicyText(policy));
  });

  it('differs where a policy differs', () => {
    const stricter: Policy = { ...policy, defaults: { ...policy.defaults, write: 'deny' } };
    expect(toPolicyText(stricter)).not.toBe(toPolicyText(policy));
  });
});
