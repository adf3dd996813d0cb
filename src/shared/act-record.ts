// An act as its event keeps it: what is usual is left out, because most of a long journal are judged acts. Both ways are here,
// so that nothing is lost between them and every verdict can be made again from the journal alone.

import type { ResolvedAct } from './act.ts';
import { assertNever } from './assert-never.ts';
import type { EventOf } from './event.ts';

type ActFields = Pick<
  EventOf<'act-judged'>,
  'act' | 'target' | 'real' | 'letterCase' | 'outside' | 'program' | 'opaque'
>;

/** What an `act-judged` event says of the act. */
export function toActFields(act: ResolvedAct): ActFields {
  const { kind, target } = act;
  switch (kind) {
    case 'read':
    case 'write':
      return {
        act: kind,
        target,
        ...(act.real === target ? {} : { real: act.real }),
        ...(act.letterCase === 'exact' ? {} : { letterCase: act.letterCase }),
        ...(act.outside ? { outside: true } : {}),
      };
    case 'exec':
      return {
        act: kind,
        target,
        ...(act.program === null ? {} : { program: act.program }),
        ...(act.opaque === null ? {} : { opaque: act.opaque }),
      };
    case 'net':
      return { act: kind, target, ...(act.address === null ? {} : { real: act.address }) };
    default:
      return assertNever(act);
  }
}

/** The act that an event judged; null for a plan, which is none. */
export function toResolvedAct(fields: ActFields): ResolvedAct | null {
  const { act: kind, target, real, letterCase = 'exact', outside = false, program = null, opaque = null } = fields;
  switch (kind) {
    case 'read':
    case 'write':
      return { kind, target, real: real === undefined ? target : real, letterCase, outside };
    case 'exec':
      return { kind, target, program, opaque };
    case 'net':
      return { kind, target, address: real ?? null };
    case 'plan':
      return null;
    default:
      return assertNever(kind);
  }
}
