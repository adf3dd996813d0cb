// Small policies and acts that meet often: few letters, so that rules match, contradict and except each other.
import fc from 'fast-check';
import type { Circumstances, Layer, Policy, Rule } from '../../src/engine/policy/policy.ts';
import type { ResolvedAct } from '../../src/shared/act.ts';

const effect = fc.constantFrom('allow', 'ask', 'deny');

const pathPattern = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'a/b',
    'a/*',
    '*.x',
    '*',
    'a/b.x',
    'b.x',
    '*/b',
    '*/a/*',
    'a/*/x/*',
    'a*b',
    'a/*/b',
    '?',
    'A',
    '/a/*',
    '/a/b',
    '*/b.x',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', 'x', '*', '?'), minLength: 1, maxLength: 6 }),
);
const execPattern = fc.constantFrom(
  'a',
  'b',
  '/bin/a',
  './a',
  'a *',
  'a b',
  '*',
  'a*',
  '* b',
  '/bin/a b',
  './a *',
  'b *',
  '*/a',
  'a.x',
);
const netPattern = fc.constantFrom(
  'a',
  'A',
  'a:1',
  '*',
  '*:1',
  '*.a',
  'b.a',
  '1.2.*',
  '[::1]',
  '[::1]:1',
  'a:*',
  '?',
  '10.0.0.1',
  '10.*',
  'localhost',
);

const ruleOf = (act: Rule['act'], pattern: fc.Arbitrary<string>): fc.Arbitrary<Rule> =>
  fc
    .record({
      effect,
      pattern,
      except: fc.option(fc.array(pattern, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 4 }),
      when: fc.option(fc.constant('tainted' as const), { nil: undefined, freq: 5 }),
      isolation: fc.option(fc.constantFrom('none', 'bwrap', 'unheard-of'), { nil: undefined, freq: 5 }),
    })
    .map(({ except, when, isolation, ...core }) => ({
      act,
      ...core,
      ...(except === undefined ? {} : { except }),
      ...(when === undefined ? {} : { when }),
      ...(isolation === undefined ? {} : { isolation }),
    }));

const rule = fc.oneof(
  { weight: 3, arbitrary: ruleOf('write', pathPattern) },
  { weight: 1, arbitrary: ruleOf('read', pathPattern) },
  { weight: 2, arbitrary: ruleOf('exec', execPattern) },
  { weight: 1, arbitrary: ruleOf('net', netPattern) },
);

const layer: fc.Arbitrary<Layer> = fc.record({
  name: fc.constantFrom('one', 'two', 'three'),
  origin: fc.constantFrom('built-in', 'user', 'project', 'app', 'run', 'repository', 'agent'),
  rules: fc.array(rule, { maxLength: 8 }),
  remedy: fc.constant('change it'),
  isAnsweredByExactPath: fc.boolean(),
});

export const arbitraryPolicy: fc.Arbitrary<Policy> = fc.record({
  layers: fc.array(layer, { maxLength: 4 }),
  defaults: fc.record({ read: effect, write: effect, exec: effect, net: effect }),
});

export const arbitraryCircumstances: fc.Arbitrary<Circumstances> = fc.record({
  isTainted: fc.boolean(),
  isolation: fc.constantFrom('none', 'landlock', 'bwrap'),
});

const inside = fc.constantFrom('a', 'b', 'a/b', 'a/b.x', 'b.x', 'a/a/b', 'A', 'a/B.X', 'b/a.x', 'a/x/b', '.');
const outside = fc.constantFrom('/a/b', '/a', '/b', '/a/b.x', '/x/a/b');

const pathAct = fc.boolean().chain((isOutside): fc.Arbitrary<ResolvedAct> => {
  const path = isOutside ? outside : inside;
  return fc.record({
    kind: fc.constantFrom('read', 'write'),
    target: path,
    real: fc.option(path, { nil: null, freq: 8 }),
    letterCase: fc.constantFrom('exact', 'ignored'),
    outside: fc.constant(isOutside),
  });
});

const program = fc.constantFrom(
  { written: 'a', real: '/bin/a', isSystem: true },
  { written: 'a', real: null, isSystem: true },
  { written: 'a', real: null, isSystem: false },
  { written: './a', real: '/w/a', isSystem: false },
  { written: '/bin/a', real: '/bin/a', isSystem: true },
  { written: 'x', real: '/bin/a', isSystem: false },
  { written: '/tmp/b', real: '/bin/a', isSystem: false },
);

const execAct: fc.Arbitrary<ResolvedAct> = fc
  .record({
    program: fc.option(program, { nil: null, freq: 6 }),
    rest: fc.constantFrom('', ' b', ' x y', ' a b'),
    opaque: fc.option(fc.constant('it cannot be seen through'), { nil: null }),
    text: fc.constantFrom('', 'V=1 a b', 'a $b'),
  })
  .map(({ program, rest, opaque, text }) => ({
    kind: 'exec',
    target: opaque !== null && text !== '' ? text : `${program?.written ?? 'b'}${rest}`,
    program,
    opaque,
  }));

const netAct: fc.Arbitrary<ResolvedAct> = fc.record({
  kind: fc.constant('net'),
  target: fc.constantFrom('a:1', 'a:2', 'b.a:1', '[::1]:1', '1.2.3.4:1', '10.0.0.1:1', 'localhost:1'),
  address: fc.constantFrom(null, '1.2.3.4:1', '[::1]:1', '10.0.0.1:1'),
});

export const arbitraryAct: fc.Arbitrary<ResolvedAct> = fc.oneof(
  { weight: 3, arbitrary: pathAct },
  { weight: 2, arbitrary: execAct },
  { weight: 1, arbitrary: netAct },
);
