import { describe, expect, it } from 'vitest';
import type { Effect, LayerOrigin } from '../../shared/act.ts';
import { allowsHosts } from './allows-hosts.ts';
import type { Policy, Rule } from './policy.ts';

const policyOf = (byDefault: Effect, origin: LayerOrigin, ...rules: Rule[]): Policy => ({
  layers: [{ name: 'own', origin, remedy: 'change it', rules }],
  defaults: { read: 'allow', write: 'ask', exec: 'ask', net: byDefault },
});

const net = (effect: Effect): Rule => ({ act: 'net', effect, pattern: 'a.example' });

describe('a policy', () => {
  it.each<[string, Policy, boolean]>([
    ['a host allowed by a person', policyOf('deny', 'user', net('allow')), true],
    ['a host remembered for the run', policyOf('deny', 'run', net('ask'), net('allow')), true],
    ['a host allowed by a repository, which may not', policyOf('deny', 'repository', net('allow')), false],
    ['a host that is asked about', policyOf('deny', 'user', net('ask')), false],
    ['a host that is denied', policyOf('deny', 'user', net('deny')), false],
    ['every host by default', policyOf('allow', 'user'), false],
    ['a command allowed', policyOf('deny', 'user', { act: 'exec', effect: 'allow', pattern: 'a.example' }), false],
  ])('tells whether a person allows some host by a rule: %s', (_title, policy, expected) => {
    expect(allowsHosts(policy)).toBe(expected);
  });
});
