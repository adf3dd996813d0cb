// Joins policies of equal standing: every layer of both, the stricter default of each kind. Either may allow more than the
// other, neither can undo a denial.
import { type Effect, strictness } from '../../shared/act.ts';
import type { Policy, PolicyDefaults } from './policy.ts';

/** Merging a policy with itself decides nothing anew. */
export function mergePolicies(first: Policy, second: Policy): Policy {
  const added = second.layers.filter((layer) => !first.layers.includes(layer));
  return { layers: [...first.layers, ...added], defaults: stricterDefaults(first.defaults, second.defaults) };
}

/** Kind by kind whichever is stricter. */
export function stricterDefaults(first: PolicyDefaults, second: PolicyDefaults): PolicyDefaults {
  return {
    read: stricterEffect(first.read, second.read),
    write: stricterEffect(first.write, second.write),
    exec: stricterEffect(first.exec, second.exec),
    net: stricterEffect(first.net, second.net),
  };
}

function stricterEffect(first: Effect, second: Effect): Effect {
  return strictness[second] > strictness[first] ? second : first;
}
