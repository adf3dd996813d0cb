// What one rule speaks of, and which questions it would have spared. The policy itself decides that, so that nobody is
// offered a rule that changes nothing: what a rule or a built-in layer asks about, an allow elsewhere does not answer.
import type { ResolvedAct, Verdict } from '../../shared/act.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import { toComparedPattern } from '../policy/pattern-form.ts';
import type { Policy, Rule } from '../policy/policy.ts';

export type RuleCore = Pick<Rule, 'act' | 'effect' | 'pattern'>;

export interface RuleReach {
  /** Whether it speaks of the act at all: of every spelling of a path, and as an allow only where it means this program. */
  speaksOf(act: ResolvedAct): boolean;
  /** Whether an act that was judged like this, and not allowed, would be allowed from now on. */
  wouldAllow(act: ResolvedAct, verdict: Pick<Verdict, 'effect' | 'layer'>): boolean;
}

export function createRuleReach({ act: kind, effect, pattern }: RuleCore): RuleReach {
  const policy: Policy = {
    layers: [{ name: layerName, origin: 'run', rules: [{ act: kind, effect, pattern }], remedy: '' }],
    defaults: { read: 'ask', write: 'ask', exec: 'ask', net: 'ask' },
  };
  const speaksOf = (act: ResolvedAct): boolean =>
    act.kind === kind && evaluatePolicy(policy, act, { isTainted: false, isolation: 'none' }).layer === layerName;
  return {
    speaksOf,
    wouldAllow(act, verdict) {
      if (effect !== 'allow' || verdict.effect === 'allow') return false;
      return yieldsTo(pattern, act, verdict.layer) && speaksOf(act);
    },
  };
}

/** An allow is stronger than a default and the border of the workspace; of the layers, `protected` gives way to its exact path. */
function yieldsTo(pattern: string, act: ResolvedAct, layer: string): boolean {
  if (layer === 'protected') return toComparedPattern(act.kind, pattern) === act.target;
  return layer === 'default' || (layer === 'workspace' && 'outside' in act && act.outside);
}

const layerName = 'candidate';
