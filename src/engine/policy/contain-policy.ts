// Narrows a policy for an agent that another one directs. Whatever the role says, the policy it is contained in is a ceiling:
// an allow of the role grants nothing, at any depth, and the denials of the person and the project stand.
//
// What is handed over as ceiling decides who is narrowed. A role that is meant for one agent alone (a coordinator that
// delegates and edits nothing) is contained in the run's policy beside its workers, so that it does not narrow them too.
import { stricterDefaults } from './merge-policies.ts';
import type { Layer, Policy } from './policy.ts';

/** The ceiling together with everything in `role` that is stricter. */
export function containPolicy(ceiling: Policy, role: Policy): Policy {
  return {
    layers: [...ceiling.layers, ...role.layers.flatMap(toNarrowing)],
    defaults: stricterDefaults(ceiling.defaults, role.defaults),
  };
}

function toNarrowing(layer: Layer): Layer[] {
  const rules = layer.rules.filter(({ effect }) => effect !== 'allow');
  return rules.length === 0 ? [] : [{ ...layer, origin: 'agent', rules }];
}
