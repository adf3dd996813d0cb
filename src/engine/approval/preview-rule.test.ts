import { describe, expect, it } from 'vitest';
import type { Remember } from '../../shared/approval.ts';
import { type PastAct, previewRule } from './preview-rule.ts';

const row = (act: string, target: string, effect: string, layer = 'default'): PastAct => ({
  run: 'run-1',
  act,
  target,
  effect,
  layer,
});
const allow = (act: 'write' | 'exec' | 'net', pattern: string): Remember => ({
  scope: 'project',
  rule: { act, effect: 'allow', pattern },
});

describe('what a rule would have meant', () => {
  it('is told with the acts it matches, and how many of them it would newly allow', () => {
    const acts = [
      row('write', 'src/a.ts', 'ask'),
      row('write', 'src/b.ts', 'allow'),
      row('write', 'src/.env', 'deny', 'secrets'),
      row('write', 'lib/c.ts', 'ask'),
      row('read', 'src/a.ts', 'ask'),
      row('plan', 'src/a.ts', 'ask'),
    ];
    expect(previewRule(allow('write', 'src/*'), acts)).toEqual({
      matched: [
        { run: 'run-1', act: 'write', target: 'src/a.ts', effect: 'ask' },
        { run: 'run-1', act: 'write', target: 'src/b.ts', effect: 'allow' },
        { run: 'run-1', act: 'write', target: 'src/.env', effect: 'deny' },
      ],
      matchedCount: 3,
      newlyAllowed: 1,
      origin: 'project',
    });
  });

  const counts: [what: string, remember: Remember, act: PastAct, newlyAllowed: number][] = [
    ['asked by default', allow('exec', 'npm run *'), row('exec', 'npm run build', 'ask'), 1],
    ['denied by default', allow('net', 'example.com'), row('net', 'example.com:443', 'deny'), 1],
    [
      'outside, where only such a rule speaks',
      allow('write', '/srv/*'),
      row('write', '/srv/a', 'deny', 'workspace'),
      1,
    ],
    ['inside, and placed nowhere', allow('write', 'src/*'), row('write', 'src/a', 'deny', 'workspace'), 0],
    ['asked by a rule', allow('write', 'src/*'), row('write', 'src/a', 'ask', 'mine'), 0],
    ['denied by a rule', allow('write', 'src/*'), row('write', 'src/a', 'deny', 'mine'), 0],
    ['protected, and named exactly', allow('write', '.github/a'), row('write', '.github/a', 'ask', 'protected'), 1],
    ['protected, and only matched', allow('write', '.github/*'), row('write', '.github/a', 'ask', 'protected'), 0],
    [
      'asked because of where its input came from',
      allow('net', 'example.com'),
      row('net', 'example.com:443', 'ask', 'provenance'),
      0,
    ],
    ['a command nobody can read', allow('exec', 'ls *'), row('exec', 'ls $x', 'ask', 'command-line'), 0],
    [
      'asked, under a rule that denies',
      { scope: 'run', rule: { act: 'exec', effect: 'deny', pattern: 'npm' } },
      row('exec', 'npm run build', 'ask'),
      0,
    ],
  ];
  it.each(counts)('counts an act that was %s', (_what, remember, act, newlyAllowed) => {
    expect(previewRule(remember, [act])).toMatchObject({ matchedCount: 1, newlyAllowed });
  });

  it('shows the first few of very many, and counts them all', () => {
    function* acts(): Generator<PastAct> {
      for (let index = 0; index < 5000; index++) yield row('write', `src/${index}`, 'ask');
    }
    const { matched, matchedCount, newlyAllowed } = previewRule(allow('write', 'src/*'), acts());
    expect({ targets: matched.map(({ target }) => target), matchedCount, newlyAllowed }).toEqual({
      targets: Array.from({ length: 10 }, (_, index) => `src/${index}`),
      matchedCount: 5000,
      newlyAllowed: 5000,
    });
  });
});
