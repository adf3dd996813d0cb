import { describe, expect, it } from 'vitest';
import { toSimulationLines } from './simulation-lines.ts';

const difference = {
  seq: 5,
  agentId: 'root',
  step: 1,
  call: 0,
  act: 'write',
  target: 'a\n.ts',
  was: { effect: 'ask', rule: null, layer: 'default' },
  would: { effect: 'deny', rule: 'a*', layer: 'app' },
  because: 'it says so',
  conditional: false,
} as const;

describe('a simulation', () => {
  it('with nothing different is one line', () => {
    expect(toSimulationLines({ acts: 9, calls: 7, differences: [], stricter: 0, looser: 0 })).toEqual([
      '9 acts of 7 calls: 0 would be judged more strictly, 0 less',
    ]);
  });

  it('tells each difference, and marks what might not have come to pass', () => {
    const later = { ...difference, step: 2, conditional: true };
    expect(toSimulationLines({ acts: 9, calls: 7, differences: [difference, later], stricter: 2, looser: 0 })).toEqual([
      '9 acts of 7 calls: 2 would be judged more strictly, 0 less',
      '  write a\\u{a}.ts  (step 1, call 0)',
      '    was    ask, the default',
      '    would  deny, the rule "a*" of the layer "app"',
      '  write a\\u{a}.ts  (step 2, call 0, perhaps)',
      '    was    ask, the default',
      '    would  deny, the rule "a*" of the layer "app"',
      '',
      'Those marked "perhaps" follow a difference: the agent might not have come to them.',
    ]);
  });
});
