import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Effect, type ResolvedAct, strictness } from '../../shared/act.ts';
import { composePolicy } from './compose-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { importPolicy } from './import-policy.ts';
import { parsePolicyFile } from './parse-policy-file.ts';
import type { PolicyFile } from './policy-file.ts';

const importText = (settings: object) => importPolicy(JSON.stringify(settings), 'settings.json');

describe('an import of Claude-style settings', () => {
  it('carries over what can be said, and reports the rest', () => {
    const imported = importText({
      permissions: {
        allow: [
          'Bash(npm run build)',
          'Bash(git log:*)',
          'Bash(ls)',
          'Edit(src/**)',
          'Edit(docs/*.md)',
          'WebFetch(domain:a.example)',
          'mcp__srv__tool',
          'Write(b)',
        ],
        ask: ['Bash(git push *)'],
        deny: ['Read(.env)', 'Read(//etc/x)', 'Bash(echo "a b")'],
        additionalDirectories: ['/tmp'],
      },
      model: 'some',
    });
    expect(imported).toEqual({
      source: 'claude',
      policy: {
        layers: [
          {
            name: 'claude',
            rules: [
              { act: 'read', effect: 'deny', pattern: '.env' },
              { act: 'read', effect: 'deny', pattern: '*/.env' },
              { act: 'read', effect: 'deny', pattern: '.env/*' },
              { act: 'read', effect: 'deny', pattern: '*/.env/*' },
              { act: 'read', effect: 'deny', pattern: '/etc/x' },
              { act: 'read', effect: 'deny', pattern: 'etc/x' },
              { act: 'read', effect: 'deny', pattern: 'x' },
              { act: 'read', effect: 'deny', pattern: '/etc/x/*' },
              { act: 'read', effect: 'deny', pattern: 'etc/x/*' },
              { act: 'read', effect: 'deny', pattern: 'x/*' },
              { act: 'exec', effect: 'deny', pattern: 'echo * *' },
              { act: 'exec', effect: 'deny', pattern: 'echo *' },
              { act: 'exec', effect: 'ask', pattern: 'git push *' },
              { act: 'exec', effect: 'ask', pattern: 'git push' },
              { act: 'exec', effect: 'allow', pattern: 'npm run build' },
              { act: 'exec', effect: 'allow', pattern: 'git log *' },
              { act: 'exec', effect: 'allow', pattern: 'ls', except: ['ls *'] },
              { act: 'write', effect: 'allow', pattern: 'src/*' },
              { act: 'write', effect: 'allow', pattern: 'docs/*.md', except: ['docs/*/*.md'] },
              { act: 'write', effect: 'allow', pattern: 'docs/*.md/*', except: ['docs/*/*.md/*'] },
              { act: 'net', effect: 'allow', pattern: 'a.example:443' },
            ],
          },
        ],
        defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'ask' },
      },
      notes: [
        {
          setting: 'permissions.deny[1] Read(//etc/x)',
          reason: 'also said of the same names in the workspace, as nobody knows here where that lies',
        },
        { setting: 'permissions.deny[2] Bash(echo "a b")', reason: 'said more widely as `echo * *`' },
        { setting: 'permissions.allow[6] mcp__srv__tool', reason: 'left out: no tool here is like it' },
        {
          setting: 'permissions.allow[7] Write(b)',
          reason: 'left out: a path with this tool is not looked at; `Edit` covers all writing',
        },
        { setting: 'permissions.additionalDirectories', reason: 'left out: there is nothing like it here' },
        { setting: 'model', reason: 'left out: it is no permission' },
      ],
    });
  });

  it.each([
    ['plan', { read: 'allow', write: 'deny', exec: 'deny', net: 'deny' }],
    ['acceptEdits', { read: 'allow', write: 'allow', exec: 'ask', net: 'ask' }],
    ['bypassPermissions', { read: 'allow', write: 'ask', exec: 'ask', net: 'ask' }],
  ])('takes the defaults of the mode %s, and never everything', (defaultMode, defaults) => {
    expect(importText({ permissions: { defaultMode } }).policy.defaults).toEqual(defaults);
  });

  it.each([
    // Names that are empty match nothing in gitignore, and whatever one likes elsewhere.
    '**//',
    'a//b',
    'a//',
    './/a',
    '///a',
    // A directory means what is in it, but only where it is one.
    'a/**/**/b',
    '**/**/a',
    // Dots are mere names there.
    '.',
    'a/./b',
    '../a',
    'C:/a',
    // Signs that mean something else there, or here.
    '#a',
    './#a',
    ' a',
    'a ',
    'a\\ ',
    '\\a',
    '[ab]',
    'a?',
    '{a,b}',
    'a@(b)',
    'a\nb',
    '',
    '//**',
  ])('leaves out to allow %j, which is read in different ways', (pattern) => {
    const { policy, notes } = importText({ permissions: { allow: [`Edit(${pattern})`] } });
    expect(policy.layers).toEqual([{ name: 'claude', rules: [] }]);
    expect(notes).toEqual([expect.objectContaining({ reason: expect.stringMatching(/^left out: /) })]);
  });

  it.each([
    ['**/', ['a/b', 'a/b/c'], ['a']],
    ['*/**', ['a/b', 'a/b/c'], ['a']],
    ['a/**/', ['a/b/c'], ['a', 'a/b']],
    ['a/*/', ['a/b/c'], ['a', 'a/b']],
    ['a**/b', ['a/b', 'ac/b'], ['ab', 'a/c/b']],
    ['**a', ['a', 'c/ba'], ['ab']],
    ['~a', ['~a', 'c/~a'], ['a']],
  ])('allows of %s just what every reading allows', (pattern, inside, outside) => {
    const { policy } = importText({ permissions: { allow: [`Edit(${pattern})`] } });
    const effects = [...inside, ...outside].map((path) => judge(policy, write(path)));
    expect(effects).toEqual([...inside.map(() => strictness.allow), ...outside.map(() => strictness.ask)]);
  });

  it.each([
    ['a//b', ['a/b']],
    ['**//', ['a/b']],
    ['./a', ['a', 'c/a']],
    ['a/**', ['a', 'a/b', 'c/a/b']],
    ['a**/b', ['a/b', 'ab']],
    ['[]a]', ['a', ']']],
    ['[a\\]b]c', ['ac', ']c', 'bc']],
    ['[a', ['[a', 'a']],
    ['a@(b)', ['a@(b)']],
    [' a', ['a', ' a']],
    ['a ', ['a', 'a ']],
    [' ./a', ['a']],
    ['a\\ ', ['a ']],
    ['a\nb', ['a', 'b']],
    ['!/a', ['a', '!/a']],
    ['~', ['~', 'a']],
  ])('denies of %j whatever any reading denies', (pattern, paths) => {
    const { policy } = importText({ permissions: { deny: [`Edit(${pattern})`] } });
    expect(paths.map((path) => judge(policy, write(path)))).toEqual(paths.map(() => strictness.deny));
  });

  it('denies what is too long to be said', () => {
    const path = `${'a'.repeat(1100)}/b`;
    const { policy } = importText({ permissions: { deny: [`Edit(${path})`] } });
    expect(judge(policy, write(path))).toBe(strictness.deny);
  });

  it('asks about what a list of allowed paths takes back', () => {
    const { policy } = importText({ permissions: { allow: ['Edit(a/**)', 'Edit(!a/b)', 'Edit(./!a/c)'] } });
    expect(['a/d', 'a/b', 'a/c'].map((path) => judge(policy, write(path)))).toEqual([
      strictness.allow,
      strictness.ask,
      strictness.ask,
    ]);
  });

  it.each(['git  log', ' git log', 'git log ', 'git  *', ''])(
    'says of %j, a line that is never written so here, no more than a denial',
    (pattern) => {
      const effects = ['allow', 'deny'].map((effect) => {
        const { policy } = importText({ permissions: { [effect]: [`Bash(${pattern})`] } });
        return judge(policy, run('git log'));
      });
      expect(effects).toEqual([strictness.ask, strictness.deny]);
    },
  );

  it('allows nothing that the original asks about or denies', () => {
    const rule = fc.oneof(bashRule, pathRule);
    const list = fc.array(rule, { maxLength: 4 });
    const defaultMode = fc.constantFrom<Mode>('default', 'default', 'acceptEdits', 'plan', 'dontAsk');
    fc.assert(
      fc.property(fc.record({ allow: list, ask: list, deny: list, defaultMode }), anyAct, (permissions, act) => {
        const { policy } = importText({ permissions });
        const ours = judge(policy, act);
        for (const reading of readings)
          expect(ours).toBeGreaterThanOrEqual(strictness[judgeLikeClaude(permissions, act, reading)]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an import of opencode settings', () => {
  it('turns the order round: the last rule that matches decides there, the strictest here', () => {
    const imported = importText({
      permission: {
        edit: { 'old/*': 'allow', '*': 'deny', 'src/*': 'allow', 'src/gen/*': 'deny', 'src/gen/keep.ts': 'allow' },
        bash: { '*': 'ask', 'git *': 'allow', 'git push *': 'deny' },
        webfetch: { 'https://a.example/*': 'allow' },
        external_directory: 'allow',
      },
    });
    expect(imported.policy).toEqual({
      layers: [
        {
          name: 'opencode',
          rules: [
            { act: 'write', effect: 'allow', pattern: 'src/*' },
            { act: 'write', effect: 'deny', pattern: 'src/gen/*', except: ['src/gen/keep.ts'] },
            { act: 'write', effect: 'allow', pattern: 'src/gen/keep.ts' },
            { act: 'exec', effect: 'allow', pattern: 'git *' },
            { act: 'exec', effect: 'deny', pattern: 'git push *' },
            { act: 'exec', effect: 'deny', pattern: 'git push' },
            { act: 'net', effect: 'allow', pattern: 'a.example:443' },
          ],
        },
      ],
      defaults: { write: 'deny', exec: 'ask' },
    });
    expect(imported.notes).toEqual([
      { setting: 'permission', reason: 'what it does not name stays as it is here for read' },
      { setting: 'permission', reason: 'what it does not name stays as it is here for net' },
      {
        setting: 'permission.external_directory *',
        reason: 'left out: outside the workspace nothing is opened by an import',
      },
    ]);
  });

  it('allows nothing by a pattern that no path matches there', () => {
    const { policy } = importText({ permission: { edit: { '*': 'ask', './a': 'allow' } } });
    expect(policy).toEqual({ layers: [{ name: 'opencode', rules: [] }], defaults: { write: 'ask' } });
  });

  it('denies whatever any reading of a pattern denies', () => {
    const { policy } = importText({ permission: { edit: { '*': 'ask', 'a *': 'deny' } } });
    expect(['a', 'a b'].map((path) => judge(policy, write(path)))).toEqual([strictness.deny, strictness.deny]);
  });

  it('denies what a tool that is switched off would have done', () => {
    const { policy } = importText({ permission: 'allow', tools: { bash: false, write: false, read: true } });
    expect(policy.defaults).toEqual({ read: 'allow', write: 'deny', exec: 'deny', net: 'allow' });
  });

  it('allows nothing that the original asks about or denies', () => {
    const effect = fc.constantFrom<Effect>('allow', 'ask', 'deny');
    const byPattern = (pattern: fc.Arbitrary<string>) =>
      fc.oneof(effect, fc.dictionary(pattern, effect, { maxKeys: 5 }));
    const permission = fc.record(
      {
        '*': effect,
        edit: byPattern(wildcardPath),
        read: byPattern(wildcardPath),
        bash: byPattern(commandPattern),
        'ba*': effect,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(permission, anyAct, (permissions, act) => {
        expect(judge(importText({ permission: permissions }).policy, act)).toBeGreaterThanOrEqual(
          strictness[judgeLikeOpencode(permissions, act)],
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('importPolicy', () => {
  it.each([
    '{}',
    '[]',
    '',
    '{"permissions": {"allow": "Bash"}}',
    '{"permission": {"edit": "perhaps"}}',
    '{"permission":{},"permission":{}}',
    `{"permissions": {"allow": [${'1,'.repeat(200_000)}]}}`,
  ])('refuses %.80j', (text) => {
    expect(() => importPolicy(text, 'settings.json')).toThrow(expect.objectContaining({ code: 'policy-invalid' }));
  });

  it('names only the first of many faults', () => {
    const text = JSON.stringify({ permissions: { deny: Array.from({ length: 50 }, () => 1) } });
    expect(() => importPolicy(text, 'settings.json')).toThrow(/\nand 40 more$/);
  });

  it.each([
    [
      'Claude-style',
      { permissions: { deny: ['Grep', 'WebSearch'] } },
      ['permissions.deny[0] Grep', 'permissions.deny[1] WebSearch'],
    ],
    [
      'opencode',
      { permission: { '*': 'ask', grep: 'deny', websearch: 'deny' } },
      ['permission.grep *', 'permission.websearch *'],
    ],
  ])(
    'says of %s tools that look which act they are judged as here',
    (_source, settings, [looking = '', unlike = '']) => {
      expect(importPolicy(JSON.stringify(settings), 'settings.json').notes).toEqual([
        {
          setting: looking,
          reason: 'left out: to search and to list is to read here, and judged as that for every file',
        },
        { setting: unlike, reason: 'left out: no tool here is like it' },
      ]);
    },
  );

  it('keeps the stricter of two rules that are the same here, however they were spelled', () => {
    const { policy } = importText({
      permissions: { ask: ['WebFetch(domain:A.example)'], deny: ['WebFetch(domain:a.example)'] },
    });
    expect(parsePolicyFile(JSON.stringify(policy), 'imported').layers).toEqual([
      {
        name: 'claude',
        rules: [
          { act: 'net', effect: 'deny', pattern: 'a.example' },
          { act: 'net', effect: 'deny', pattern: '*.a.example' },
        ],
      },
    ]);
  });

  it('makes a policy that can be read again, whatever it was given', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const list = fc.array(
      fc.oneof(
        bashRule,
        pathRule,
        text,
        text.map((spec) => `Bash(${spec})`),
        text.map((spec) => `Read(${spec})`),
        fc.domain().map((host) => `WebFetch(domain:${host}.)`),
        fc.ipV4Extended().map((host) => `WebFetch(domain:${host})`),
      ),
    );
    fc.assert(
      fc.property(fc.record({ allow: list, ask: list, deny: list }), (permissions) => {
        const { policy } = importText({ permissions });
        expect(parsePolicyFile(JSON.stringify(policy), 'imported')).toEqual(policy);
      }),
    );
    const permission = fc.record({
      edit: fc.dictionary(text, fc.constantFrom('allow', 'ask', 'deny')),
      bash: fc.dictionary(text, fc.constantFrom('allow', 'ask', 'deny')),
    });
    fc.assert(
      fc.property(permission, (permissions) => {
        const { policy } = importText({ permission: permissions });
        expect(parsePolicyFile(JSON.stringify(policy), 'imported')).toEqual(policy);
      }),
    );
  });
});

const commandPattern = fc.constantFrom(
  'ls',
  'ls *',
  'ls*',
  'git log',
  'git log *',
  'git * x',
  'g*x',
  '*',
  '* x',
  'git "a b"',
  'git {a}',
  'git > f',
  'l?',
  '*s',
  'a;b',
  ' ls',
  'ls ',
  'git  log',
  'git  *',
);
const bashRule = fc.oneof(commandPattern, fc.constantFrom('git log:*', 'ls:*')).map((spec) => `Bash(${spec})`);
/** What is read in more than one way, or stands for nothing. */
const oddPattern = fc.string({
  unit: fc.constantFrom(
    'a',
    '/',
    '//',
    './',
    '../',
    '*',
    '**',
    '/**/',
    '?',
    '[ab]',
    '!',
    '#',
    ' ',
    '\\',
    '~',
    '@',
    '(',
    ')',
  ),
  minLength: 1,
  maxLength: 6,
});
const gitignorePattern = fc.oneof(
  fc.constantFrom(
    'a',
    'a/',
    'a/**',
    '**/a',
    'a/*',
    '*.x',
    'a/*.x',
    'a/**/b',
    'a/*/',
    '//',
    './a',
    './*.x',
    '/a',
    '//home/ada/work/a',
    '//etc/*',
    '//etc/**',
    '~/x',
    '**',
    '[ab]',
    'a?',
    '**/a/b',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.x'), minLength: 1, maxLength: 6 }),
  oddPattern,
);
const pathRule = fc.tuple(fc.constantFrom('Read', 'Edit'), gitignorePattern).map(([tool, spec]) => `${tool}(${spec})`);
const wildcardPath = fc.oneof(
  fc.constantFrom('*', 'a', 'a/*', '*.x', 'a/b.x', '*/b', 'a*b', '**/b.x', '/etc/*', '~/x', 'a{b}', 'b.x'),
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.x'), minLength: 1, maxLength: 6 }),
  oddPattern,
);

const workspace = '/home/ada/work';

function write(target: string): ResolvedAct {
  return { kind: 'write', target, real: target, letterCase: 'exact', outside: false };
}

function run(target: string): ResolvedAct {
  const [written = ''] = target.split(' ');
  return { kind: 'exec', target, program: { written, real: `/usr/bin/${written}`, isSystem: true }, opaque: null };
}

const anyAct: fc.Arbitrary<ResolvedAct> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<'read' | 'write'>('read', 'write'),
      fc.constantFrom(
        'a',
        'b',
        'ab',
        'a/b',
        'a/b.x',
        'b.x',
        'c/b.x',
        'a/a/b',
        'a/c/b.x',
        'x',
        'b/a',
        'a/b/c.x',
        ' a',
        'a ',
        '!a',
        '#a',
        '~',
        '~a/b',
        'a@(a)',
        '[ab]',
        'a/ /a',
        '/etc/a',
        '/etc/a/b',
        '/home/ada/x',
      ),
    )
    .map(
      ([kind, target]): ResolvedAct => ({
        kind,
        target,
        real: target,
        letterCase: 'exact',
        outside: target.startsWith('/'),
      }),
    ),
  fc
    .constantFrom('ls', 'ls -l', 'git', 'git log', 'git log x', 'git a x', 'gax', "git 'a b'", 'git {a}', 'lsof')
    .map(run),
);

function judge(policy: PolicyFile, act: ResolvedAct): number {
  const composed = composePolicy([{ origin: 'app', file: null, policy }]);
  return strictness[evaluatePolicy(composed, act, { isTainted: false, isolation: 'none' }).effect];
}

/** Some details are told in different ways, so an import has to hold under either. */
interface Reading {
  /** Whether ` *` at the end of a command pattern may be nothing. */
  readonly isLastStarOptional: boolean;
  /** Where a path with one slash at its head starts from. */
  readonly settings: string;
  /** Whether `./` at the head of a path and `/**` at its end are taken for nothing. */
  readonly isTrimmed: boolean;
}

const readings: readonly Reading[] = [
  { isLastStarOptional: false, settings: workspace, isTrimmed: false },
  { isLastStarOptional: true, settings: `${workspace}/.claude`, isTrimmed: true },
];

type Mode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk';

type Permissions = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>> & { readonly defaultMode: Mode };

function judgeLikeClaude(permissions: Permissions, act: ResolvedAct, reading: Reading): Effect {
  const { defaultMode } = permissions;
  if (defaultMode === 'plan' && act.kind !== 'read') return 'deny';
  const asked = defaultMode === 'dontAsk' ? 'deny' : 'ask';
  for (const effect of ['deny', 'ask', 'allow'] as const)
    if (permissions[effect].some((rule) => matchesClaudeRule(rule, act, reading)))
      return effect === 'ask' ? asked : effect;
  if (act.kind === 'read' && !act.outside) return 'allow';
  return defaultMode === 'acceptEdits' && act.kind === 'write' && !act.outside ? 'allow' : asked;
}

function matchesClaudeRule(rule: string, act: ResolvedAct, reading: Reading): boolean {
  const [, tool = '', written = ''] = /^(\w+)\((.*)\)$/s.exec(rule) ?? [];
  if (act.kind === 'exec')
    return tool === 'Bash' && toLineRegExp(written.replace(/:\*$/, ' *'), reading, '*').test(act.target);
  if (act.kind === 'net' || tool !== (act.kind === 'read' ? 'Read' : 'Edit')) return false;
  const path = act.outside ? act.target : `${workspace}/${act.target}`;
  const spec = reading.isTrimmed ? written.replace(/^\.\/|\/\*\*$/g, '') : written;
  if (spec.startsWith('//')) return isIgnored(spec.slice(2), true, '', path);
  if (spec.startsWith('~/')) return isIgnored(spec.slice(2), true, '/home/ada', path);
  if (spec.startsWith('/')) return isIgnored(spec.slice(1), true, reading.settings, path);
  if (spec.startsWith('./')) return isIgnored(spec.slice(2), true, workspace, path);
  return isIgnored(spec, false, workspace, path);
}

function toLineRegExp(
  pattern: string,
  { isLastStarOptional }: Pick<Reading, 'isLastStarOptional'>,
  wildcards: '*' | '*?',
): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('?', wildcards === '*' ? '\\?' : '.')
    .replaceAll('*', '.*');
  return new RegExp(`^${isLastStarOptional ? source.replace(/ \.\*$/, '( .*)?') : source}$`, 's');
}

/** A file is ignored when the pattern matches it or a directory that it lies in. */
function isIgnored(pattern: string, isRooted: boolean, base: string, path: string): boolean {
  if (!path.startsWith(`${base}/`)) return false;
  const names = path.slice(base.length + 1).split('/');
  const isDirectory = pattern.endsWith('/');
  const body = pattern.replace(/\/$/, '');
  const isAnchored = isRooted || body.includes('/');
  const source = body
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/^\*\*$/, '\u0001')
    .replace(/^(\*\*\/)+/, '\u0002')
    .replace(/(\/\*\*)+$/, '/\u0003')
    .replace(/\/(\*\*\/)+/g, '/\u0002')
    .replaceAll('?', '[^/]')
    .replace(/\*+/g, '[^/]*')
    .replaceAll('\u0001', '.*')
    .replaceAll('\u0002', '(?:.*/)?')
    .replaceAll('\u0003', '.+');
  const regExp = new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${source}$`, 's');
  return names.some((_, index) => {
    const isFile = index === names.length - 1;
    return !(isFile && isDirectory) && regExp.test(names.slice(0, index + 1).join('/'));
  });
}

type OpencodePermission = Readonly<Record<string, Effect | Readonly<Record<string, Effect>> | undefined>>;

function judgeLikeOpencode(permission: OpencodePermission, act: ResolvedAct): Effect {
  const tool = { read: 'read', write: 'edit', exec: 'bash', net: 'webfetch' }[act.kind];
  const entries = Object.entries(permission).flatMap(([name, value = {}]) =>
    Object.entries(typeof value === 'string' ? { '*': value } : value).map(([pattern, effect]) => ({
      name,
      pattern,
      effect,
    })),
  );
  const optional = { isLastStarOptional: true };
  const last = entries.findLast(
    ({ name, pattern }) =>
      toLineRegExp(name, optional, '*?').test(tool) &&
      toLineRegExp(pattern.replace(/^~\//, '/home/ada/'), optional, '*?').test(act.target),
  );
  return last?.effect ?? 'allow';
}
