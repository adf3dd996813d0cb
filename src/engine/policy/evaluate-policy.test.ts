import { describe, expect, it } from 'vitest';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { JudgeableAct, Layer, Policy, Rule } from './policy.ts';

const layer = (name: string, ...rules: Rule[]): Layer => ({ name, rules, remedy: `change ${name}` });
const policyOf = (...layers: Layer[]): Policy => ({
  layers,
  defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' },
});
const act = (fields: Partial<JudgeableAct> & { target: string }): JudgeableAct => ({
  kind: 'read',
  real: fields.target,
  letterCase: 'exact',
  ...fields,
});

describe('evaluatePolicy', () => {
  it('falls back to the default of the kind and says so', () => {
    expect(evaluatePolicy(policyOf(), act({ kind: 'write', target: 'a' }))).toEqual({
      effect: 'ask',
      rule: null,
      layer: 'default',
      because: 'write of "a" must be asked for by default; a rule that allows it would change that',
    });
  });

  it('lets a deny anywhere win over an allow of any layer, however specific', () => {
    const policy = policyOf(
      layer('narrow', { act: 'read', effect: 'allow', pattern: 'secret/exact.txt' }),
      layer('wide', { act: 'read', effect: 'deny', pattern: 'secret/*' }),
    );
    expect(evaluatePolicy(policy, act({ target: 'secret/exact.txt' }))).toEqual({
      effect: 'deny',
      rule: 'secret/*',
      layer: 'wide',
      because: 'read of "secret/exact.txt" is denied by the rule "secret/*" of the layer "wide"; change wide',
    });
  });

  it('lets an ask win over an allow, and an allow over the default', () => {
    const allow: Rule = { act: 'write', effect: 'allow', pattern: '*' };
    const ask: Rule = { act: 'write', effect: 'ask', pattern: 'b' };
    const policy = policyOf(layer('one', allow), layer('two', ask));
    const judge = (target: string) => evaluatePolicy(policy, act({ kind: 'write', target }));
    expect([judge('a'), judge('b')]).toMatchObject([
      { effect: 'allow', layer: 'one', rule: '*' },
      { effect: 'ask', layer: 'two', rule: 'b' },
    ]);
  });

  it.each([
    { target: 'link', real: 'secret' },
    { target: 'secret', real: 'elsewhere' },
  ])('takes the stricter of $target, which lies at $real', ({ target, real }) => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: 'secret' }));
    expect(evaluatePolicy(policy, act({ target, real }))).toMatchObject({ effect: 'deny', rule: 'secret' });
  });

  it('denies what does not stay inside the workspace, even where everything is allowed', () => {
    const policy = policyOf(layer('all', { act: 'read', effect: 'allow', pattern: '*' }));
    expect(evaluatePolicy(policy, act({ target: 'out', real: null }))).toEqual({
      effect: 'deny',
      rule: null,
      layer: 'workspace',
      because: 'read of "out" is denied: it does not stay inside the workspace; name a path that does',
    });
  });

  it('judges every spelling where the volume ignores letter case, in rules too', () => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: 'Secrets/*' }));
    const judge = (letterCase: JudgeableAct['letterCase']) =>
      evaluatePolicy(policy, act({ target: 'SECRETS/key', letterCase })).effect;
    expect([judge('exact'), judge('ignored')]).toEqual(['allow', 'deny']);
  });

  it.each([
    ['.\u017fsh/key', 'deny'],
    ['.\u200bssh/key', 'deny'],
    ['.\uff53sh/key', 'allow'],
  ])('judges %j as a volume that ignores letter case reads it: %s', (target, effect) => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: '.ssh/*' }));
    expect(evaluatePolicy(policy, act({ target, letterCase: 'ignored' })).effect).toBe(effect);
  });

  it('does not apply a rule to its exceptions', () => {
    const rule: Rule = { act: 'read', effect: 'deny', pattern: '.env.*', except: ['.env.example'] };
    const judge = (target: string) => evaluatePolicy(policyOf(layer('own', rule)), act({ target })).effect;
    expect([judge('.env.local'), judge('app/.env.example')]).toEqual(['deny', 'allow']);
  });
});
