import { describe, expect, it } from 'vitest';
import { openDriver, toReply } from '../../../test/support/open-driver.ts';
import type { Effect, JudgedAct } from '../../shared/act.ts';
import { findStrictest } from './judge-call.ts';

const secret = 'ghp_94d356af183b5218951806abfb4f07d0523b';

describe('judging a call', () => {
  it('journals a verdict for each of its acts, with a reason where it is not simply allowed', async () => {
    const edit = { tool: 'edit_file', arguments: { path: 'a.txt', old: 'a', new: 'b' } };
    await using driver = await openDriver({ replies: [toReply('', [edit])] });
    await driver.performUntil('start');
    const judged = driver.events('act-judged');
    expect(judged.map(({ call, act, target, effect, because }) => [call, act, target, effect, because])).toEqual([
      [0, 'read', 'a.txt', 'allow', undefined],
      [0, 'write', 'a.txt', 'ask', expect.stringContaining('must be asked for by default')],
    ]);
  });

  it('masks a secret in a target and in the reason that quotes it, also in the question to people', async () => {
    const write = { tool: 'write_file', arguments: { path: `${secret}.txt`, content: 'x' } };
    await using driver = await openDriver({ replies: [toReply('', [write])] });
    await driver.performUntil('start');
    const judged = driver.events('act-judged');
    expect(judged.map(({ effect }) => effect)).toEqual(['allow', 'ask']);
    expect(JSON.stringify(judged)).not.toContain(secret);
  });
});

describe('the strictest of several verdicts', () => {
  const judged = (effect: Effect, layer: string): JudgedAct => ({
    act: { kind: 'net', target: layer, address: null },
    verdict: { effect, rule: null, layer, origin: 'default', because: '', wouldChange: null },
  });

  it.each<[JudgedAct[], string | undefined]>([
    [[judged('allow', 'a'), judged('deny', 'b'), judged('ask', 'c')], 'b'],
    [[judged('ask', 'default'), judged('ask', 'command-line')], 'command-line'],
    [[judged('deny', 'default'), judged('ask', 'protected')], 'default'],
    [[judged('ask', 'first'), judged('ask', 'second')], 'first'],
    [[], undefined],
  ])('of %j is that of %s', (acts, layer) => {
    expect(findStrictest(acts)?.verdict.layer).toBe(layer);
  });
});
