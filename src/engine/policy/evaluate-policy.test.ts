import { describe, expect, it } from 'vitest';
import type { ExecAct, NetAct, PathAct, ResolvedAct } from '../../shared/act.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { Circumstances, Layer, Policy, Rule } from './policy.ts';
import { toReason } from './to-reason.ts';

const layer = (name: string, ...rules: Rule[]): Layer => ({ name, origin: 'user', rules, remedy: `change ${name}` });
const policyOf = (...layers: Layer[]): Policy => ({
  layers,
  defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' },
});
const usual: Circumstances = { isTainted: false, isolation: 'none' };
const path = (fields: Partial<PathAct> & { target: string }): PathAct => ({
  kind: 'read',
  real: fields.target,
  letterCase: 'exact',
  outside: false,
  ...fields,
});
const exec = (target: string, fields: Partial<ExecAct> = {}): ExecAct => {
  const [written = ''] = target.split(' ');
  return {
    kind: 'exec',
    target,
    program: { written, real: `/usr/bin/${written}`, isSystem: true },
    opaque: null,
    ...fields,
  };
};
const net = (target: string, address: string | null = null): NetAct => ({ kind: 'net', target, address });
const effectOf = (policy: Policy, act: ResolvedAct, circumstances = usual) =>
  evaluatePolicy(policy, act, circumstances).effect;

describe('evaluatePolicy', () => {
  it('falls back to the default of the kind and says so', () => {
    const verdict = evaluatePolicy(policyOf(), path({ kind: 'write', target: 'a' }), usual);
    expect(verdict).toEqual({
      effect: 'ask',
      rule: null,
      layer: 'default',
      origin: 'default',
      because: 'write of "a" must be asked for by default',
      wouldChange:
        'a rule that allows it would change that, in the policy of the user, the project, the app or the run',
    });
    expect(toReason(verdict)).toBe(`${verdict.because}; ${verdict.wouldChange}`);
  });

  it('lets a deny anywhere win over an allow of any layer, however specific', () => {
    const policy = policyOf(
      layer('narrow', { act: 'read', effect: 'allow', pattern: 'secret/exact.txt' }),
      layer('wide', { act: 'read', effect: 'deny', pattern: 'secret/*', reason: 'it is not for models' }),
    );
    expect(evaluatePolicy(policy, path({ target: 'secret/exact.txt' }), usual)).toEqual({
      effect: 'deny',
      rule: 'secret/*',
      layer: 'wide',
      origin: 'user',
      because:
        'read of "secret/exact.txt" is denied by the rule "secret/*" of the layer "wide" (user): it is not for models',
      wouldChange: 'change wide',
    });
  });

  it('lets an ask win over an allow, and an allow over the default', () => {
    const allow: Rule = { act: 'write', effect: 'allow', pattern: '*' };
    const ask: Rule = { act: 'write', effect: 'ask', pattern: 'b' };
    const policy = policyOf(layer('one', allow), layer('two', ask));
    const judge = (target: string) => evaluatePolicy(policy, path({ kind: 'write', target }), usual);
    expect([judge('a'), judge('b')]).toMatchObject([
      { effect: 'allow', layer: 'one', rule: '*', wouldChange: null },
      { effect: 'ask', layer: 'two', rule: 'b', wouldChange: 'change two' },
    ]);
  });

  it('does not apply a rule to its exceptions', () => {
    const rule: Rule = { act: 'read', effect: 'deny', pattern: '.env.*', except: ['.env.example'] };
    const judge = (target: string) => effectOf(policyOf(layer('own', rule)), path({ target }));
    expect([judge('.env.local'), judge('app/.env.example')]).toEqual(['deny', 'allow']);
  });

  it('lets an ask of a layer that only narrows open nothing that is denied by default', () => {
    const ask: Rule = { act: 'net', effect: 'ask', pattern: '*' };
    const judge = (origin: Layer['origin']) =>
      effectOf(policyOf({ ...layer('own', ask), origin }), net('a.example:443'));
    expect([judge('user'), judge('repository'), judge('agent'), judge('built-in')]).toEqual([
      'ask',
      'deny',
      'deny',
      'deny',
    ]);
  });

  it('applies a rule about tainted agents to no others', () => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'ask', pattern: '*', when: 'tainted' }));
    const judge = (isTainted: boolean) => effectOf(policy, path({ target: 'a' }), { ...usual, isTainted });
    expect([judge(false), judge(true)]).toEqual(['allow', 'ask']);
  });

  it('lets a permission lapse under a weaker isolation than it was given for, and a denial never', () => {
    const judge = (effect: 'allow' | 'deny', needed: string, isolation: string) =>
      effectOf(policyOf(layer('own', { act: 'exec', effect, pattern: 'make', isolation: needed })), exec('make'), {
        isTainted: false,
        isolation,
      });
    expect([
      judge('allow', 'bwrap', 'bwrap'),
      judge('allow', 'landlock', 'bwrap'),
      judge('allow', 'bwrap', 'none'),
      judge('allow', 'unheard-of', 'bwrap'),
      judge('allow', 'none', 'unheard-of'),
      judge('deny', 'bwrap', 'none'),
    ]).toEqual(['allow', 'allow', 'ask', 'ask', 'ask', 'deny']);
  });
});

describe('a path', () => {
  it.each([
    { target: 'link', real: 'secret' },
    { target: 'secret', real: 'elsewhere' },
  ])('is judged as $target and as $real, and the stricter stands', ({ target, real }) => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: 'secret' }));
    expect(evaluatePolicy(policy, path({ target, real }), usual)).toMatchObject({ effect: 'deny', rule: 'secret' });
  });

  it('that a link hides is named in the reason', () => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: 'secret' }));
    expect(evaluatePolicy(policy, path({ target: 'link', real: 'secret' }), usual).because).toBe(
      'read of "link", which is "secret", is denied by the rule "secret" of the layer "own" (user)',
    );
  });

  it('that does not stay inside the workspace is denied even where everything is allowed', () => {
    const policy = policyOf(layer('all', { act: 'read', effect: 'allow', pattern: '*' }));
    expect(evaluatePolicy(policy, path({ target: 'out', real: null }), usual)).toEqual({
      effect: 'deny',
      rule: null,
      layer: 'workspace',
      origin: 'built-in',
      because: 'read of "out" is denied: it does not stay inside the workspace',
      wouldChange: 'name a path that does',
    });
  });

  it('outside the workspace is opened only by a rule that is written as an absolute path (anomalyco/opencode#17497)', () => {
    const judge = (...rules: Omit<Rule, 'act'>[]) =>
      effectOf(
        policyOf(layer('own', ...rules.map((rule): Rule => ({ act: 'read', ...rule })))),
        path({ target: '/etc/x.conf', outside: true }),
      );
    expect([
      judge(),
      judge({ effect: 'allow', pattern: '*' }),
      judge({ effect: 'allow', pattern: '*.conf' }),
      judge({ effect: 'ask', pattern: '*.conf' }),
      judge({ effect: 'allow', pattern: '/etc/*' }),
      judge({ effect: 'ask', pattern: '/etc/*' }),
      judge({ effect: 'allow', pattern: '/etc/*' }, { effect: 'ask', pattern: 'x.conf' }),
      judge({ effect: 'allow', pattern: '/etc/*' }, { effect: 'deny', pattern: '*.conf' }),
    ]).toEqual(['deny', 'deny', 'deny', 'deny', 'allow', 'ask', 'ask', 'deny']);
  });

  it('at the head of a pattern `./` says that a name means one file and no other of that name', () => {
    const policy = policyOf(layer('own', { act: 'write', effect: 'allow', pattern: './notes.txt' }));
    const judge = (target: string) => effectOf(policy, path({ kind: 'write', target }));
    expect([judge('notes.txt'), judge('docs/notes.txt')]).toEqual(['allow', 'ask']);
  });

  it('is one file in every spelling where the volume ignores letter case, in rules too (tetsuo-ai/agenc-core#2126)', () => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: 'Work/Secret.txt' }));
    const judge = (letterCase: PathAct['letterCase']) =>
      effectOf(policy, path({ target: 'work/SECRET.TXT', letterCase }));
    expect([judge('exact'), judge('ignored')]).toEqual(['allow', 'deny']);
  });

  it.each([
    ['.\u017fsh/key', 'deny'],
    ['.\u200bssh/key', 'deny'],
    ['.\uff53sh/key', 'allow'],
  ])('%j is read as a volume that ignores letter case reads it: %s', (target, effect) => {
    const policy = policyOf(layer('own', { act: 'read', effect: 'deny', pattern: '.ssh/*' }));
    expect(effectOf(policy, path({ target, letterCase: 'ignored' }))).toBe(effect);
  });
});

describe('a layer that is answered by the exact path', () => {
  const guarded: Layer = {
    ...layer('guarded', { act: 'write', effect: 'ask', pattern: '.git/*' }),
    origin: 'built-in',
    isAnsweredByExactPath: true,
  };
  const judge = (rule: Omit<Rule, 'act'>, fields: Partial<PathAct> = {}, origin: Layer['origin'] = 'user') =>
    effectOf(
      policyOf(guarded, { ...layer('own', { act: 'write', ...rule }), origin }),
      path({ kind: 'write', target: '.git/config', ...fields }),
    );

  it('asks in spite of a wildcard or a bare name, and is answered by the whole path', () => {
    expect([
      judge({ effect: 'allow', pattern: '*' }),
      judge({ effect: 'allow', pattern: '.git/*' }),
      judge({ effect: 'allow', pattern: 'config' }),
      judge({ effect: 'allow', pattern: '.git/config' }),
    ]).toEqual(['ask', 'ask', 'ask', 'allow']);
  });

  it('is answered by a person only', () => {
    const origins = ['user', 'project', 'app', 'run', 'built-in', 'contract', 'agent'] as const;
    expect(origins.map((origin) => judge({ effect: 'allow', pattern: '.git/config' }, {}, origin))).toEqual([
      'allow',
      'allow',
      'allow',
      'allow',
      'ask',
      'ask',
      'ask',
    ]);
  });

  it('asks about what a link reaches, whatever is allowed by the name of the link', () => {
    const policy = policyOf(
      guarded,
      layer(
        'own',
        { act: 'write', effect: 'allow', pattern: 'notes.md' },
        { act: 'write', effect: 'allow', pattern: '.git/*' },
      ),
    );
    const act = path({ kind: 'write', target: 'notes.md', real: '.git/config' });
    expect(evaluatePolicy(policy, act, usual)).toMatchObject({ effect: 'ask', layer: 'guarded' });
  });

  it('says which rule would answer it', () => {
    const act = path({ kind: 'write', target: '.git/config' });
    expect(evaluatePolicy(policyOf(guarded), act, usual).wouldChange).toBe(
      'a rule that allows exactly ".git/config" would change that, in the policy of the user, the project, the app or the run',
    );
  });
});

describe('a command', () => {
  const judge = (effect: Rule['effect'], pattern: string, act: ExecAct) =>
    effectOf(policyOf(layer('own', { act: 'exec', effect, pattern })), act);

  it.each([
    ['git', 'git push', 'allow'],
    ['git', 'gitlab push', 'ask'],
    ['/usr/bin/git', 'git push', 'allow'],
    ['git push', 'git push', 'allow'],
    ['git push', 'git push --force', 'ask'],
    ['git push*', 'git push --force', 'allow'],
    ['git *', 'git', 'ask'],
    ['*', 'git push', 'allow'],
    ['g?t', 'git push', 'allow'],
  ])('is matched by its program alone or as a whole: %s, %s: %s', (pattern, line, effect) => {
    expect(judge('allow', pattern, exec(line))).toBe(effect);
  });

  const impostor = exec('./git push', { program: { written: './git', real: '/w/git', isSystem: false } });
  const unknown = exec('git push', { program: { written: 'git', real: null, isSystem: false } });

  it.each([
    ['git', impostor],
    ['git *', impostor],
    ['git', unknown],
    ['g*', unknown],
    ['gi*', exec('gitlike/x', { program: { written: 'gitlike/x', real: '/w/gitlike/x', isSystem: false } })],
  ])('is not allowed by the bare name %s when something else goes by it', (pattern, act) => {
    expect([judge('allow', pattern, act), judge('deny', pattern, act)]).toEqual(['ask', 'deny']);
  });

  it('is denied by the name of what it really is', () => {
    const act = exec('./x -rf a', { program: { written: './x', real: '/usr/bin/rm', isSystem: false } });
    expect([judge('deny', 'rm', act), judge('deny', 'rm *', act), judge('deny', '/usr/bin/rm', act)]).toEqual([
      'deny',
      'deny',
      'deny',
    ]);
  });

  it('that cannot be seen through is never allowed, and denied by its program and by its text', () => {
    const act = exec('curl $URL', { opaque: 'an operand is not literal' });
    expect(evaluatePolicy(policyOf(layer('own', { act: 'exec', effect: 'allow', pattern: '*' })), act, usual)).toEqual({
      effect: 'ask',
      rule: null,
      layer: 'command-line',
      origin: 'built-in',
      because: 'exec of "curl $URL" must be asked for: an operand is not literal',
      wouldChange: 'a command whose program and operands all stand there as plain words can be judged by rules',
    });
    const nameless = exec('$X -o y', { program: null, opaque: 'the program is not literal' });
    expect([
      judge('deny', 'curl', act),
      judge('deny', 'curl *', act),
      judge('deny', '*$URL', act),
      judge('deny', '*-o y', nameless),
      judge('ask', 'curl', act),
    ]).toEqual(['deny', 'deny', 'deny', 'deny', 'ask']);
  });

  it('that cannot be seen through stays denied where commands are denied by default', () => {
    const policy: Policy = { layers: [], defaults: { read: 'allow', write: 'deny', exec: 'deny', net: 'deny' } };
    expect(evaluatePolicy(policy, exec('a $b', { opaque: 'why' }), usual)).toMatchObject({
      effect: 'deny',
      layer: 'default',
    });
  });

  it('is not excepted from a denial by a name that something else goes by', () => {
    const rule: Rule = { act: 'exec', effect: 'deny', pattern: '*', except: ['git *'] };
    const policy = policyOf(layer('own', rule));
    expect([effectOf(policy, exec('git push')), effectOf(policy, impostor)]).toEqual(['ask', 'deny']);
  });

  it('with a target of any length is told in a short sentence', () => {
    const { because } = evaluatePolicy(policyOf(), exec(`echo ${'a'.repeat(60_000)}`), usual);
    expect(because.length).toBeLessThan(400);
  });
});

describe('a connection', () => {
  const judge = (effect: Rule['effect'], pattern: string, act: NetAct) =>
    effectOf(policyOf(layer('own', { act: 'net', effect, pattern })), act);

  it.each([
    ['api.example', 'api.example:443', 'allow'],
    ['API.example', 'api.example:443', 'allow'],
    ['api.example:443', 'api.example:443', 'allow'],
    ['api.example:443', 'api.example:80', 'deny'],
    ['*.example', 'api.example:443', 'allow'],
    ['*.example', 'example:443', 'deny'],
    ['*:443', 'api.example:443', 'allow'],
    ['[::1]', '[::1]:80', 'allow'],
    ['[::1]:80', '[::1]:81', 'deny'],
  ])('is matched by host or by host and port: %s, %s: %s', (pattern, target, effect) => {
    expect(judge('allow', pattern, net(target))).toBe(effect);
  });

  it('is denied by the address that its host came to, and needs no permission for it', () => {
    const policy = policyOf(
      layer(
        'own',
        { act: 'net', effect: 'allow', pattern: 'api.example' },
        { act: 'net', effect: 'deny', pattern: '93.184.216.*' },
      ),
    );
    expect([
      effectOf(policy, net('api.example:443', '93.184.215.14:443')),
      effectOf(policy, net('api.example:443', '93.184.216.1:443')),
    ]).toEqual(['allow', 'deny']);
  });

  it.each([
    // A wildcard opens no place that is not public: a literal is asked about, and a name that may lead there is not enough.
    [['*'], '127.0.0.1:80', '127.0.0.1:80', 'ask'],
    [['*'], 'localhost:80', '[::1]:80', 'ask'],
    [['*'], 'wiki.corp:80', '10.1.2.3:80', 'ask'],
    [['*'], 'a.example:80', '127.0.0.1:80', 'deny'],
    [['*'], 'a.example:80', '169.254.169.254:80', 'deny'],
    [['*'], 'a.example:80', '[fd00:ec2::254]:80', 'deny'],
    [['*'], 'a.example:80', '93.184.215.14:80', 'allow'],
    // Whoever names it exactly opens it; the name opens what it may well belong to, and nothing of this machine.
    [['localhost:80'], 'localhost:80', '127.0.0.1:80', 'allow'],
    [['wiki.corp'], 'wiki.corp:80', '10.1.2.3:80', 'allow'],
    [['*', '127.0.0.1'], 'a.example:80', '127.0.0.1:80', 'allow'],
    [['*', '127.0.0.1:80'], 'a.example:80', '127.0.0.1:80', 'allow'],
    [['*', '127.0.0.1:81'], 'a.example:80', '127.0.0.1:80', 'deny'],
    [['*', '127.0.0.?'], 'a.example:80', '127.0.0.1:80', 'deny'],
    [['a.example'], 'a.example:80', '127.0.0.1:80', 'deny'],
    [['a.example'], 'a.example:80', '169.254.169.254:80', 'deny'],
    // An address alone opens no host.
    [['127.0.0.1'], 'a.example:80', '127.0.0.1:80', 'deny'],
  ] as const)('allowing %j has %s, which is %s, come to %s', (patterns, target, address, effect) => {
    const rules = patterns.map((pattern): Rule => ({ act: 'net', effect: 'allow', pattern }));
    expect(effectOf(policyOf(layer('own', ...rules)), net(target, address))).toBe(effect);
  });

  it('says what an address that is not public is, and what opens it', () => {
    const policy = policyOf(layer('own', { act: 'net', effect: 'allow', pattern: '*' }));
    expect(evaluatePolicy(policy, net('a.example:80', '169.254.169.254:80'), usual)).toEqual({
      effect: 'deny',
      rule: null,
      layer: 'network',
      origin: 'built-in',
      because:
        'net of "a.example:80", which is "169.254.169.254:80", is denied: it is an address of what a cloud tells the machines in it alone',
      wouldChange:
        'a rule that allows exactly "169.254.169.254:80" would change that, in the policy of the user, the project, the app or the run',
    });
  });
});
