import { describe, expect, it } from 'vitest';
import type { Effect, LayerOrigin } from '../../shared/act.ts';
import { builtInLayers } from './built-in-layers.ts';
import { opensNetwork } from './opens-network.ts';
import type { Policy, Rule } from './policy.ts';

const policyOf = (net: Effect, origin: LayerOrigin = 'user', ...rules: Rule[]): Policy => ({
  layers: [...builtInLayers, { name: 'own', origin, rules, remedy: '' }],
  defaults: { read: 'allow', write: 'ask', exec: 'ask', net },
});
const rule = (effect: Effect, act: Rule['act'] = 'net'): Rule => ({ act, effect, pattern: 'a.example' });

describe('opensNetwork', () => {
  it.each<[string, Policy, boolean]>([
    ['denied by default', policyOf('deny'), false],
    ['asked by default', policyOf('ask'), true],
    ['allowed by default', policyOf('allow'), true],
    ['a host allowed', policyOf('deny', 'app', rule('allow')), true],
    ['a host asked about', policyOf('deny', 'project', rule('ask')), true],
    ['a host denied', policyOf('deny', 'user', rule('deny')), false],
    ['a host asked about by the repository, which opens nothing', policyOf('deny', 'repository', rule('ask')), false],
    ['a command allowed', policyOf('deny', 'user', rule('allow', 'exec')), false],
  ])('tells whether any host may be dialled: %s', (_title, policy, expected) => {
    expect(opensNetwork(policy)).toBe(expected);
  });
});
