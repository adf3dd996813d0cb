import { describe, expect, it } from 'vitest';
import { toAskHere } from './ask-here.ts';

describe('toAskHere', () => {
  it.each([
    ['a terminal asks', undefined, false, true, 'ask', true],
    ['a terminal asks when told to', 'ask', false, true, 'ask', true],
    ['a script does not wait for anybody', undefined, false, false, 'defer', false],
    ['a script waits for answers from elsewhere when told to', 'ask', false, false, 'ask', false],
    ['output for scripts holds no question', undefined, true, true, 'defer', false],
    ['output for scripts holds none either when told to wait', 'ask', true, true, 'ask', false],
    ['who else answers is not overruled', 'defer', false, true, 'defer', false],
    ['nor is a yes to everything', 'all', false, true, 'all', false],
  ] as const)('%s', (_what, approve, json, isTerminal, expected, asksHere) => {
    expect(toAskHere({ settings: { approve }, json, isTerminal })).toEqual({
      settings: { approve: expected },
      asksHere,
    });
  });

  it.each([
    ['what was deferred is asked once somebody is there', undefined, 'defer', true, 'ask', true],
    ['what was asked is deferred once nobody is', undefined, 'ask', false, 'defer', false],
    ['a yes to everything is kept', undefined, 'all', true, 'all', false],
    ['so is a model that answers', undefined, 'model', false, 'model', false],
    ['and a no, unless something else is said now', 'ask', 'deny', true, 'ask', true],
  ] as const)('of a resumed run: %s', (_what, approve, before, isTerminal, expected, asksHere) => {
    expect(toAskHere({ settings: { approve }, json: false, before, isTerminal })).toEqual({
      settings: { approve: expected },
      asksHere,
    });
  });
});
