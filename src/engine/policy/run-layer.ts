// The rules that people had remembered for the rest of one run; they are gone with it.
import type { RememberedRule } from '../../shared/approval.ts';
import type { Layer, Rule } from './policy.ts';

/** The layer that holds what was remembered, in the order in which it was said. */
export function toRunLayer(remembered: readonly RememberedRule[]): Layer {
  return {
    name: 'run',
    origin: 'run',
    rules: remembered.map(toRule),
    remedy: 'it was remembered for this run and ends with it',
  };
}

function toRule({ act, effect, pattern, isolation }: RememberedRule): Rule {
  return { act, effect, pattern, ...(isolation === undefined ? {} : { isolation }) };
}
