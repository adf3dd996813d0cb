import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAct, arbitraryCircumstances, arbitraryPolicy } from '../../../test/support/policy-arbitraries.ts';
import { evaluateByReference } from '../../../test/support/reference-policy.ts';
import { type ResolvedAct, strictness } from '../../shared/act.ts';
import { withLayers } from './compose-policy.ts';
import { containPolicy } from './contain-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { mergePolicies } from './merge-policies.ts';
import type { Policy } from './policy.ts';
import { toPolicyText } from './to-policy-text.ts';

const rounds = { numRuns: 400 };

describe('every verdict', () => {
  it('is the one that a plain walk over all rules comes to, rule and layer included', () => {
    fc.assert(
      fc.property(arbitraryPolicy, arbitraryAct, arbitraryCircumstances, (policy, act, circumstances) => {
        const { effect, rule, layer } = evaluatePolicy(policy, act, circumstances);
        expect({ effect, rule, layer }).toEqual(evaluateByReference(policy, act, circumstances));
      }),
      { numRuns: 1500 },
    );
  });

  it('names a change exactly where something stands in the way', () => {
    fc.assert(
      fc.property(arbitraryPolicy, arbitraryAct, arbitraryCircumstances, (policy, act, circumstances) => {
        const { effect, wouldChange } = evaluatePolicy(policy, act, circumstances);
        expect(wouldChange === null).toBe(effect === 'allow');
      }),
      rounds,
    );
  });

  it('is a denial as soon as one rule denies, in whatever order policies are merged and contained', () => {
    const combine = fc.constantFrom(mergePolicies, containPolicy, flip(mergePolicies));
    fc.assert(
      fc.property(
        arbitraryPolicy,
        fc.array(fc.tuple(combine, arbitraryPolicy), { minLength: 1, maxLength: 3 }),
        fc.nat(),
        arbitraryAct,
        arbitraryCircumstances,
        (first, others, place, act, circumstances) => {
          const policies = [first, ...others.map(([, policy]) => policy)];
          const denying = policies.map((policy, index) =>
            index === place % policies.length ? deny(policy, act) : policy,
          );
          const combined = others.reduce(
            (sofar, [join], index) => join(sofar, denying[index + 1] ?? first),
            denying[0] ?? first,
          );
          expect(evaluatePolicy(combined, act, circumstances).effect).toBe('deny');
        },
      ),
      rounds,
    );
  });

  it('is never laxer for a contained agent than for the one that directs it, at any depth', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryPolicy, { minLength: 2, maxLength: 4 }),
        arbitraryAct,
        arbitraryCircumstances,
        ([first, ...roles], act, circumstances) => {
          fc.pre(first !== undefined);
          const chain = [first];
          for (const role of roles) chain.push(containPolicy(chain.at(-1) ?? first, role));
          const levels = chain.map((policy) => strictness[evaluatePolicy(policy, act, circumstances).effect]);
          expect(levels).toEqual(levels.toSorted((left, right) => left - right));
        },
      ),
      { numRuns: 600 },
    );
  });

  it('is the same after a policy was merged with itself', () => {
    fc.assert(
      fc.property(arbitraryPolicy, arbitraryAct, arbitraryCircumstances, (policy, act, circumstances) => {
        const copy = structuredClone(policy);
        expect(evaluatePolicy(mergePolicies(policy, copy), act, circumstances)).toEqual(
          evaluatePolicy(policy, act, circumstances),
        );
      }),
      rounds,
    );
  });

  it('is the same after a policy went through its text', () => {
    fc.assert(
      fc.property(arbitraryPolicy, arbitraryAct, arbitraryCircumstances, (policy, act, circumstances) => {
        const read: Policy = JSON.parse(toPolicyText(policy));
        expect(read).toEqual(policy);
        expect(evaluatePolicy(read, act, circumstances)).toEqual(evaluatePolicy(policy, act, circumstances));
      }),
      rounds,
    );
  });
});

function deny(policy: Policy, { kind }: ResolvedAct): Policy {
  const rules = [{ act: kind, effect: 'deny', pattern: '*' }] as const;
  return withLayers(policy, [{ name: 'denying', origin: 'user', rules, remedy: 'change it' }]);
}

type Combine = (first: Policy, second: Policy) => Policy;

function flip(combine: Combine): Combine {
  return (first, second) => combine(second, first);
}
