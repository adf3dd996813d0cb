import { describe, expect, it } from 'vitest';
import { fakeWrite } from '../../test/cli/fake-request.ts';
import { toExplanationLines } from './explanation-lines.ts';

const { effect: _effect, ...verdict } = fakeWrite.verdict;

describe('an explanation', () => {
  it('says what was decided, by what, and what would change it', () => {
    expect(toExplanationLines({ effect: 'ask', ...verdict, parts: [fakeWrite] })).toEqual([
      'ask: write of "src/a.ts" must be asked for by default',
      '  decided by    the default',
      '  would change  a rule that allows it',
    ]);
  });

  it('names the parts of what comes to more than one act', () => {
    const allowed = { ...fakeWrite.verdict, effect: 'allow', rule: 'src/*', layer: 'mine', origin: 'user' } as const;
    const parts = [fakeWrite, { act: { ...fakeWrite.act, target: 'b\n.ts' }, verdict: allowed }];
    expect(toExplanationLines({ effect: 'allow', ...verdict, wouldChange: null, parts })).toEqual([
      'allow: write of "src/a.ts" must be asked for by default',
      '  decided by    the default',
      '  ask    write  src/a.ts  (the default)',
      '  allow  write  b\\u{a}.ts  (the rule "src/*" of the layer "mine" (user))',
    ]);
  });
});
