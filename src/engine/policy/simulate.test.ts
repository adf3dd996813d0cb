import { describe, expect, it } from 'vitest';
import type { ResolvedAct } from '../../shared/act.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { Policy } from './policy.ts';
import { type RecordedAct, simulate } from './simulate.ts';

const policyOf = (write: 'allow' | 'ask' | 'deny', ...denied: string[]): Policy => ({
  layers: [
    {
      name: 'own',
      origin: 'app',
      rules: denied.map((pattern) => ({ act: 'write', effect: 'deny', pattern }) as const),
      remedy: 'change it',
    },
  ],
  defaults: { read: 'allow', write, exec: 'ask', net: 'deny' },
});
const asked = policyOf('ask');

function record(
  seq: number,
  agentId: string,
  call: number,
  target: string,
  kind: 'read' | 'write' = 'write',
): RecordedAct {
  const act: ResolvedAct = { kind, target, real: target, letterCase: 'exact', outside: false };
  const circumstances = { isTainted: false, isolation: 'none' };
  const { effect, rule, layer } = evaluatePolicy(asked, act, circumstances);
  return { seq, agentId, step: 1, call, act, effect, rule, layer, ...circumstances };
}

describe('simulate', () => {
  const acts = [
    record(1, 'root', 0, 'a', 'read'),
    record(2, 'root', 1, 'a'),
    record(3, 'root', 1, 'b'),
    record(4, 'child', 0, 'c'),
    record(5, 'root', 2, 'd'),
  ];

  it('finds no difference under the same policy', () => {
    expect(simulate(acts, () => asked)).toEqual({ acts: 5, calls: 4, differences: [], stricter: 0, looser: 0 });
  });

  it('tells the first difference of each call, and which ones might not have come about', () => {
    const { differences, ...counts } = simulate(acts, () => policyOf('allow', 'b', 'd'));
    const was = { effect: 'ask', rule: null, layer: 'default' };
    const allowed = { effect: 'allow', rule: null, layer: 'default' };
    expect(counts).toEqual({ acts: 5, calls: 4, stricter: 1, looser: 2 });
    expect(differences).toMatchObject([
      { seq: 2, agentId: 'root', step: 1, call: 1, act: 'write', target: 'a', was, would: allowed, conditional: false },
      { seq: 4, agentId: 'child', call: 0, target: 'c', was, would: allowed, conditional: false },
      {
        seq: 5,
        agentId: 'root',
        call: 2,
        target: 'd',
        was,
        would: { effect: 'deny', rule: 'd', layer: 'own' },
        because: 'write of "d" is denied by the rule "d" of the layer "own" (app)',
        conditional: true,
      },
    ]);
  });

  it('judges by the circumstances of then', () => {
    const tainted: Policy = {
      ...asked,
      layers: [
        {
          name: 'own',
          origin: 'app',
          rules: [{ act: 'write', effect: 'deny', pattern: '*', when: 'tainted' }],
          remedy: 'change it',
        },
      ],
    };
    const calm = record(1, 'root', 0, 'a');
    expect(
      simulate([calm, { ...calm, seq: 2, call: 1, isTainted: true }], () => tainted).differences.map(({ seq }) => seq),
    ).toEqual([2]);
  });
});
