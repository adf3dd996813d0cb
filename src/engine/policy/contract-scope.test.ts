import { describe, expect, it } from 'vitest';
import { composePolicy, type PolicyScope, PolicyScopes } from './compose-policy.ts';
import { toContractScopes } from './contract-scope.ts';
import { evaluatePolicy } from './evaluate-policy.ts';

const permissive: PolicyScope = {
  origin: 'user',
  file: null,
  policy: { layers: [{ name: 'own', rules: [{ act: 'write', effect: 'allow', pattern: '*' }] }] },
};

function judge(protect: readonly string[], kind: 'read' | 'write', target: string) {
  const scopes = PolicyScopes.parse(JSON.parse(JSON.stringify([permissive, ...toContractScopes(protect)])));
  const act = { kind, target, real: target, letterCase: 'exact', outside: false } as const;
  return evaluatePolicy(composePolicy(scopes), act, { isTainted: false, isolation: 'bwrap' });
}

describe('what a contract protects', () => {
  it('is denied to every write, whoever allows it, and says what would change that', () => {
    expect(judge(['tests/*', 'package.json'], 'write', 'tests/deep/a.js')).toEqual({
      effect: 'deny',
      rule: 'tests/*',
      layer: 'contract',
      origin: 'contract',
      because:
        'write of "tests/deep/a.js" is denied by the rule "tests/*" of the layer "contract" (contract): the contract protects it',
      wouldChange: 'only a change of the contract itself would lift that',
    });
  });

  it.each([
    ['write', 'web/package.json', 'deny'],
    ['read', 'package.json', 'allow'],
    ['write', 'src/a.js', 'allow'],
  ] as const)('decides %s of %s as %s', (kind, target, effect) => {
    expect(judge(['tests/*', 'package.json'], kind, target).effect).toBe(effect);
  });

  it('is nothing where it names nothing', () => {
    expect(toContractScopes([])).toEqual([]);
  });

  it.each(['/w/tests/*', 'tests/**', 'tests/', '../a', '!src/*', '{a,b}'])('is refused as %j', (pattern) => {
    expect(() => toContractScopes(['a', pattern])).toThrow(
      expect.objectContaining({
        code: 'contract-invalid',
        message: expect.stringContaining(`protect[1]: ${JSON.stringify(pattern)} `),
      }),
    );
  });
});
