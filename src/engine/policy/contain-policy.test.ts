import { describe, expect, it } from 'vitest';
import type { Effect } from '../../shared/act.ts';
import { containPolicy } from './contain-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { mergePolicies } from './merge-policies.ts';
import type { Policy, Rule } from './policy.ts';

const allAllowed = { read: 'allow', write: 'allow', exec: 'allow', net: 'allow' } as const;
const policyOf = (name: string, ...rules: Rule[]): Policy => ({
  layers: [{ name, origin: 'user', rules, remedy: `change ${name}` }],
  defaults: allAllowed,
});
const rule = (effect: Effect, pattern: string, act: Rule['act'] = 'write'): Rule => ({ act, effect, pattern });
const judge = (policy: Policy, target: string, kind: 'read' | 'write' = 'write') => {
  const act = { kind, target, real: target, letterCase: 'exact', outside: false } as const;
  const { effect, layer, origin } = evaluatePolicy(policy, act, { isTainted: false, isolation: 'none' });
  return `${effect} ${layer} ${origin}`;
};

describe('containPolicy', () => {
  it("keeps a child's own denials where the parent allows (anomalyco/opencode#33223)", () => {
    const parent = policyOf('parent', rule('allow', '*', 'read'));
    const child = policyOf('child', rule('deny', 'secret/*', 'read'));
    const contained = containPolicy(parent, child);
    expect([judge(contained, 'secret/a', 'read'), judge(contained, 'a', 'read')]).toEqual([
      'deny child agent',
      'allow parent user',
    ]);
  });

  it('grants nothing by what a child allows, at any depth', () => {
    const parent: Policy = { ...policyOf('parent', rule('ask', 'b')), defaults: { ...allAllowed, write: 'ask' } };
    const child = policyOf('child', rule('allow', '*'));
    const grandchild = policyOf('grandchild', rule('allow', 'b'), rule('allow', '*'));
    const contained = containPolicy(containPolicy(parent, child), grandchild);
    expect([judge(contained, 'a'), judge(contained, 'b')]).toEqual(['ask default default', 'ask parent user']);
  });

  it('narrows one role without narrowing those that stand beside it under the same ceiling (anomalyco/opencode#26700)', () => {
    const run = policyOf('user', rule('deny', 'locked'));
    const coordinator = containPolicy(run, policyOf('coordinator', rule('deny', '*')));
    const worker = containPolicy(run, policyOf('worker', rule('allow', '*')));
    expect([judge(coordinator, 'a'), judge(worker, 'a'), judge(worker, 'locked')]).toEqual([
      'deny coordinator agent',
      'allow default default',
      'deny user user',
    ]);
  });

  it('takes the stricter default of each kind', () => {
    const role: Policy = { layers: [], defaults: { read: 'deny', write: 'ask', exec: 'allow', net: 'allow' } };
    const ceiling: Policy = { layers: [], defaults: { read: 'allow', write: 'deny', exec: 'ask', net: 'allow' } };
    expect(containPolicy(ceiling, role).defaults).toEqual({ read: 'deny', write: 'deny', exec: 'ask', net: 'allow' });
  });
});

describe('mergePolicies', () => {
  it('lets either side allow and neither undo a denial', () => {
    const first: Policy = {
      ...policyOf('first', rule('allow', 'a'), rule('deny', 'c')),
      defaults: { ...allAllowed, write: 'ask' },
    };
    const merged = mergePolicies(first, policyOf('second', rule('allow', 'b'), rule('allow', 'c')));
    expect(['a', 'b', 'c', 'd'].map((target) => judge(merged, target))).toEqual([
      'allow first user',
      'allow second user',
      'deny first user',
      'ask default default',
    ]);
  });
});
