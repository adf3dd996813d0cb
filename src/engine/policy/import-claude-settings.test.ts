import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importText, judge, run, write } from '../../../test/support/imported-settings.ts';
import { judgeLikeClaude, type Mode, readings } from '../../../test/support/reference-settings.ts';
import { anyAct, bashRule, pathRule } from '../../../test/support/settings-arbitraries.ts';
import { strictness } from '../../shared/act.ts';

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
