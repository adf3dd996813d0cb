import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExecAct, JudgedAct, NetAct, PathAct, ResolvedAct, Verdict } from '../../shared/act.ts';
import { composePolicy, withLayers } from '../policy/compose-policy.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { toRunLayer } from '../policy/run-layer.ts';
import { proposeRules } from './propose-rules.ts';

const untainted = { isTainted: false, isolation: 'none' };
const policy = composePolicy([
  {
    origin: 'user',
    file: '/home/policy.jsonc',
    policy: {
      layers: [
        {
          name: 'mine',
          rules: [
            { act: 'write', effect: 'ask', pattern: 'docs/*' },
            { act: 'write', effect: 'deny', pattern: 'src/frozen/*' },
            { act: 'net', effect: 'ask', pattern: '*' },
            { act: 'write', effect: 'ask', pattern: '/srv/*' },
          ],
        },
      ],
    },
  },
]);

const judge = (act: ResolvedAct, circumstances = untainted): JudgedAct => ({
  act,
  verdict: evaluatePolicy(policy, act, circumstances),
});
const path = (target: string, change: Partial<PathAct> = {}): PathAct => ({
  kind: 'write',
  target,
  real: target,
  letterCase: 'exact',
  outside: target.startsWith('/'),
  ...change,
});
const exec = (target: string, change: Partial<ExecAct> = {}): ExecAct => {
  const written = target.split(' ')[0] ?? '';
  return {
    kind: 'exec',
    target,
    program: { written, real: `/usr/bin/${written}`, isSystem: true },
    opaque: null,
    ...change,
  };
};
const asked: Verdict = {
  effect: 'ask',
  rule: null,
  layer: 'default',
  origin: 'default',
  because: 'it asks',
  wouldChange: null,
};
const net = (target: string): NetAct => ({ kind: 'net', target, address: null });

const patternsFor = (...acts: JudgedAct[]): string[] => proposeRules(acts, untainted).map(({ pattern }) => pattern);

describe('for a path', () => {
  const cases: [what: string, act: PathAct, patterns: string[]][] = [
    ['in a directory, it and then the directory', path('src/lib/a.ts'), ['src/lib/a.ts', 'src/lib/*']],
    ['at the top, it alone, for its name would be any file of that name', path('notes.txt'), ['./notes.txt']],
    ['that is protected, it alone', path('.github/workflows/ci.yml'), ['.github/workflows/ci.yml']],
    ['at the top that is protected, it alone', path('package.json'), ['./package.json']],
    ['that is protected by its name, it alone', path('packages/a/package.json'), ['packages/a/package.json']],
    ['that a rule asks about, nothing: an allow does not answer it', path('docs/a/b.md'), []],
    ['with a star in its name, nothing: it would be any name', path('src/a*.ts'), []],
    ['with a question mark in its name, nothing', path('src/a?.ts'), []],
    ['with brackets, what the language can say', path('src/[id]/page.ts'), []],
    ['in a directory that the language cannot name, nothing', path('src/{a}/b.ts'), []],
    [
      'that is a link to another place, nothing: the place would still be asked about',
      path('src/a.ts', { real: 'lib/b.ts' }),
      [],
    ],
    ['outside the workspace that a rule asks about, nothing', path('/srv/data/a'), []],
  ];
  it.each(cases)('%s', (_what, act, patterns) => {
    expect(patternsFor(judge(act))).toEqual(patterns);
  });

  it('nothing that was not asked about', () => {
    expect(patternsFor(judge(path('src/frozen/a.ts')), judge(path('src/a.ts', { kind: 'read' })))).toEqual([]);
  });
});

describe('for a command', () => {
  const cases: [what: string, act: ExecAct, patterns: string[]][] = [
    ['of a package manager, just this one', exec('npm run build'), ['npm run build']],
    ['of an interpreter, just this one', exec('python3 tool.py --fast'), ['python3 tool.py --fast']],
    ['of git, just this one', exec('git push origin main'), ['git push origin main']],
    ['of a container, just this one', exec('docker run image'), ['docker run image']],
    ['of a shell, just this one', exec('bash build.sh'), ['bash build.sh']],
    ['of a program that only reads, also the program', exec('ls -la src'), ['ls -la src', 'ls']],
    ['of such a program without arguments, the program', exec('pwd'), ['pwd']],
    ['of another program without arguments, nothing: one word is any arguments', exec('make'), []],
    [
      'of a file that passes for such a program, just this one',
      exec('./ls -la', { program: { written: './ls', real: '/w/ls', isSystem: false } }),
      ['./ls -la'],
    ],
    ['that can also write or run something, just this one', exec('sort -o out in'), ['sort -o out in']],
    ['with a star in it, nothing', exec("npm test -- '*.ts'"), []],
    ['nobody can read, nothing', exec('ls $(x)', { program: null, opaque: 'it holds a substitution' }), []],
  ];
  it.each(cases)('%s', (_what, act, patterns) => {
    expect(patternsFor(judge(act))).toEqual(patterns);
  });

  it('of which one part cannot be read, nothing for the other parts either', () => {
    const opaque = exec('eval $x', { program: null, opaque: 'its words are not known' });
    expect(patternsFor(judge(exec('npm run build')), judge(opaque))).toEqual([]);
  });
});

describe('for a host', () => {
  it.each([
    ['example.com:443', ['example.com:443', 'example.com']],
    ['[::1]:8080', ['[::1]:8080', '[::1]']],
  ])('%s: it at this port, and then it', (target, patterns) => {
    expect(patternsFor({ act: net(target), verdict: asked })).toEqual(patterns);
  });

  it('that a rule asks about, nothing', () => {
    expect(patternsFor(judge(net('example.com:443')))).toEqual([]);
  });
});

describe('for a request', () => {
  it('of several acts, something for each of them, once', () => {
    const acts = [judge(path('src/a.ts')), judge(exec('npm run build')), judge(path('src/b.ts'))];
    expect(patternsFor(...acts)).toEqual(['src/a.ts', 'src/*', 'npm run build', 'src/b.ts']);
  });

  it('of an agent that holds untrusted and sensitive input, nothing', () => {
    expect(proposeRules([judge(path('src/a.ts'))], { isTainted: true })).toEqual([]);
  });

  it('of very many acts, no more than a person can look through', () => {
    const acts = Array.from({ length: 100 }, (_, index) => judge(path(`d${index}/a.ts`)));
    expect(proposeRules(acts, untainted)).toHaveLength(20);
  });
});

describe('every rule that is offered', () => {
  const segment = fc.stringMatching(/^[a-z*?.[\]{} -]{1,6}$/).filter((name) => name !== '.' && name !== '..');
  const target = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const acts: fc.Arbitrary<ResolvedAct> = fc.oneof(
    target.map((each) => path(each)),
    fc.tuple(fc.constantFrom('ls', 'git', 'npm'), segment).map(([program, word]) => exec(`${program} ${word}`)),
  );

  it('answers the question it is offered with, and crosses no deny', () => {
    fc.assert(
      fc.property(acts, acts, (act, other) => {
        for (const { act: kind, pattern } of proposeRules([judge(act)], untainted)) {
          const remembered = withLayers(policy, [toRunLayer([{ act: kind, effect: 'allow', pattern }])]);
          expect(evaluatePolicy(remembered, act, untainted).effect).toBe('allow');
          if (judge(other).verdict.effect !== 'deny') continue;
          expect(evaluatePolicy(remembered, other, untainted).effect).toBe('deny');
        }
      }),
    );
  });

  it('first of all stands for that act alone', () => {
    fc.assert(
      fc.property(acts, acts, (act, other) => {
        const [first] = proposeRules([judge(act)], untainted);
        if (first === undefined || first.pattern === 'ls' || act.target === other.target) return;
        const remembered = withLayers(policy, [toRunLayer([{ ...first, effect: 'allow' }])]);
        expect(evaluatePolicy(remembered, other, untainted)).toEqual(judge(other).verdict);
      }),
    );
  });
});
