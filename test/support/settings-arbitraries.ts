// Patterns and acts that meet often, for settings of other tools: few letters, and whatever is read in more than one way.
import fc from 'fast-check';
import type { ResolvedAct } from '../../src/shared/act.ts';
import { run } from './imported-settings.ts';

export const commandPattern = fc.constantFrom(
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
export const bashRule = fc.oneof(commandPattern, fc.constantFrom('git log:*', 'ls:*')).map((spec) => `Bash(${spec})`);
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
export const pathRule = fc
  .tuple(fc.constantFrom('Read', 'Edit'), gitignorePattern)
  .map(([tool, spec]) => `${tool}(${spec})`);
export const wildcardPath = fc.oneof(
  fc.constantFrom('*', 'a', 'a/*', '*.x', 'a/b.x', '*/b', 'a*b', '**/b.x', '/etc/*', '~/x', 'a{b}', 'b.x'),
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.x'), minLength: 1, maxLength: 6 }),
  oddPattern,
);

export const anyAct: fc.Arbitrary<ResolvedAct> = fc.oneof(
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
