import { describe, expect, it } from 'vitest';
import type { Effect } from '../../shared/act.ts';
import { composePolicy, type PolicyScope, PolicyScopes, withLayers } from './compose-policy.ts';
import { defaultPolicy } from './default-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { planGate } from './plan-gate.ts';
import type { Policy } from './policy.ts';
import type { FileRule, PolicyFile } from './policy-file.ts';
import { toRunLayer } from './run-layer.ts';

const scope = (origin: PolicyScope['origin'], policy: PolicyFile): PolicyScope => ({
  origin,
  file: `/home/${origin}.jsonc`,
  policy,
});
const ruled = (...rules: FileRule[]): PolicyFile => ({ layers: [{ name: 'own', rules }] });
const write = (effect: Effect, pattern: string): FileRule => ({ act: 'write', effect, pattern });
const judge = (policy: Policy, target: string) =>
  evaluatePolicy(
    policy,
    { kind: 'write', target, real: target, letterCase: 'exact', outside: false },
    { isTainted: false, isolation: 'none' },
  );

describe('composePolicy', () => {
  it('is the default policy where nobody says anything', () => {
    expect(composePolicy([])).toEqual(defaultPolicy);
  });

  it('puts every scope over the built-in layers and names where each rule stands', () => {
    const policy = composePolicy([
      scope('user', ruled(write('allow', 'a'))),
      scope('repository', ruled(write('deny', 'b'))),
    ]);
    expect([judge(policy, 'a'), judge(policy, 'b'), judge(policy, '.env')]).toMatchObject([
      { effect: 'allow', layer: 'own', origin: 'user' },
      {
        effect: 'deny',
        layer: 'own',
        origin: 'repository',
        wouldChange: 'only a change of /home/repository.jsonc would lift that',
      },
      { effect: 'deny', layer: 'secrets' },
    ]);
  });

  it('takes each default from the narrowest scope of a person that names it', () => {
    const policy = composePolicy([
      scope('user', { defaults: { write: 'allow', exec: 'allow', net: 'allow' } }),
      scope('project', { defaults: { write: 'deny', exec: 'deny' } }),
      scope('app', { defaults: { exec: 'ask' } }),
    ]);
    expect(policy.defaults).toEqual({ read: 'allow', write: 'deny', exec: 'ask', net: 'allow' });
  });

  it('lets the repository make a default stricter and never laxer', () => {
    const policy = composePolicy([
      scope('user', { defaults: { write: 'deny', exec: 'allow' } }),
      scope('repository', { defaults: { read: 'ask', write: 'allow', exec: 'ask', net: 'allow' } }),
    ]);
    expect(policy.defaults).toEqual({ read: 'ask', write: 'deny', exec: 'ask', net: 'deny' });
  });

  it('refuses a repository that allows something, and names the rule', () => {
    expect(() => composePolicy([scope('repository', ruled(write('allow', 'a')))])).toThrow(
      expect.objectContaining({
        code: 'policy-invalid',
        message:
          'The repository\'s policy /home/repository.jsonc allows write of "a" in its layer "own": a repository may only narrow.',
      }),
    );
  });

  it.each(['project', 'app', 'repository', 'run'] as const)(
    'refuses to be told what encloses commands by the scope %s, and says whose word that is',
    (origin) => {
      const sandboxes = [{}, { minimumIsolation: 'caps-only' } as const, { mounts: [{ source: '/opt/sdk' }] }];
      for (const sandbox of sandboxes) {
        expect(() => composePolicy([scope('user', { sandbox }), scope(origin, { sandbox })])).toThrow(
          expect.objectContaining({
            code: 'policy-invalid',
            message: `The policy /home/${origin}.jsonc of the scope ${origin} says what encloses commands: only the person's own policy may.`,
          }),
        );
      }
    },
  );

  it.each(['project', 'app', 'repository', 'run', 'contract'] as const)(
    'refuses to be told how large the store may grow by the scope %s',
    (origin) => {
      const store = { quota: '1TB' };
      expect(() => composePolicy([scope('user', { store }), scope(origin, { store })])).toThrow(
        expect.objectContaining({
          code: 'policy-invalid',
          message: `The policy /home/${origin}.jsonc of the scope ${origin} says how the store is looked after: only the person's own policy may.`,
        }),
      );
    },
  );

  it('refuses two policies of one scope', () => {
    expect(() => composePolicy([scope('app', {}), scope('app', {})])).toThrow(
      expect.objectContaining({ code: 'policy-invalid', message: 'There are two policies of the scope app.' }),
    );
  });

  it('composes the same after its scopes were stored and read back', () => {
    const scopes = [
      scope(
        'user',
        ruled({ ...write('allow', 'a'), except: ['b'], when: 'tainted', isolation: 'bwrap', reason: 'why' }),
      ),
      scope('repository', { defaults: { read: 'ask' } }),
    ];
    const stored = PolicyScopes.parse(JSON.parse(JSON.stringify(scopes)));
    expect(composePolicy(stored)).toEqual(composePolicy(scopes));
  });
});

describe('withLayers', () => {
  it('lets what a run remembered answer a default, but no denial', () => {
    const policy = composePolicy([scope('user', ruled(write('deny', 'b')))]);
    const remembered = [
      { act: 'write', effect: 'allow', pattern: 'a' },
      { act: 'write', effect: 'allow', pattern: 'b' },
      { act: 'write', effect: 'deny', pattern: 'c' },
    ] as const;
    const during = withLayers(policy, [toRunLayer(remembered)]);
    expect(['a', 'b', 'c', 'd'].map((target) => judge(during, target).effect)).toEqual([
      'allow',
      'deny',
      'deny',
      'ask',
    ]);
  });

  it('lets an answer for a run lapse with it: the next one asks again (anthropics/claude-code#38279)', () => {
    const policy = composePolicy([]);
    const thisRun = withLayers(policy, [toRunLayer([{ act: 'write', effect: 'allow', pattern: 'src/*' }])]);
    const edits = Array.from({ length: 30 }, (_, index) => judge(thisRun, `src/file-${index}.ts`).effect);
    expect([new Set(edits), judge(withLayers(policy, [toRunLayer([])]), 'src/file-0.ts').effect]).toEqual([
      new Set(['allow']),
      'ask',
    ]);
  });

  it('lets a remembered permission lapse under a weaker isolation', () => {
    const rule = { act: 'exec', effect: 'allow', pattern: 'make', isolation: 'landlock' } as const;
    const policy = withLayers(composePolicy([]), [toRunLayer([rule])]);
    const program = { written: 'make', real: '/usr/bin/make', isSystem: true };
    const run = (isolation: string) =>
      evaluatePolicy(policy, { kind: 'exec', target: 'make', program, opaque: null }, { isTainted: false, isolation })
        .effect;
    expect([run('bwrap'), run('landlock'), run('none')]).toEqual(['allow', 'allow', 'ask']);
  });
});

describe('the plan gate', () => {
  const gated = withLayers(
    composePolicy([scope('user', { defaults: { write: 'allow', exec: 'allow', net: 'allow' } })]),
    [planGate],
  );
  const usual = { isTainted: false, isolation: 'none' };
  const program = { written: 'ls', real: '/usr/bin/ls', isSystem: true };

  it('lets an agent look and nothing else, and says what opens it', () => {
    const verdicts = [
      judge(gated, 'a'),
      evaluatePolicy(gated, { kind: 'exec', target: 'ls', program, opaque: null }, usual),
      evaluatePolicy(gated, { kind: 'exec', target: '$X', program: null, opaque: 'why' }, usual),
      evaluatePolicy(gated, { kind: 'net', target: 'a:1', address: null }, usual),
      evaluatePolicy(gated, { kind: 'read', target: 'a', real: 'a', letterCase: 'exact', outside: false }, usual),
    ];
    expect(verdicts.map(({ effect, layer }) => `${effect} ${layer}`)).toEqual([
      'deny plan',
      'deny plan',
      'deny plan',
      'deny plan',
      'allow default',
    ]);
    expect(verdicts[0]?.wouldChange).toBe('propose a plan: once a person has approved it, the other rules decide');
  });
});
