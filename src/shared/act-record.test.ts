import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryAct } from '../../test/support/policy-arbitraries.ts';
import { ResolvedAct } from './act.ts';
import { toActFields, toResolvedAct } from './act-record.ts';
import { DriverEventBody } from './event.ts';

const verdict = { effect: 'allow', rule: null, layer: 'default' } as const;

describe('an act that is kept as an event', () => {
  it('comes back as it was, after the event was stored as text', () => {
    fc.assert(
      fc.property(arbitraryAct, (act) => {
        const body = { type: 'act-judged', call: 0, ...toActFields(act), ...verdict } as const;
        const stored = DriverEventBody.parse(JSON.parse(JSON.stringify(body)));
        expect(stored.type === 'act-judged' && toResolvedAct(stored)).toEqual(act);
        expect(ResolvedAct.parse(act)).toEqual(act);
      }),
    );
  });

  it('leaves out what is usual', () => {
    const act = { kind: 'read', target: 'a', real: 'a', letterCase: 'exact', outside: false } as const;
    expect(toActFields(act)).toEqual({ act: 'read', target: 'a' });
  });

  it('tells a path that cannot be placed from one that lies where it says', () => {
    const act = { kind: 'write', target: 'a', real: null, letterCase: 'ignored', outside: false } as const;
    expect(toActFields(act)).toEqual({ act: 'write', target: 'a', real: null, letterCase: 'ignored' });
  });

  it('is none for a plan', () => {
    expect(toResolvedAct({ act: 'plan', target: 'the plan' })).toBeNull();
  });
});
