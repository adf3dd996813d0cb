// Judges one act: deny anywhere in the stack wins, then ask, then allow, then the default of the act's kind. Lexical and
// real path are judged apart and the stricter verdict stands, so neither a link nor its target hides the other.
import type { Effect, Verdict } from '../../shared/act.ts';
import { matchPattern } from './match-pattern.ts';
import type { JudgeableAct, Layer, Policy, Rule } from './policy.ts';

const strictness: Readonly<Record<Effect, number>> = { allow: 0, ask: 1, deny: 2 };

/** The verdict on `act`, with the rule and the layer that made it. Explaining a decision is making it again. */
export function evaluatePolicy(policy: Policy, act: JudgeableAct): Verdict {
  if (act.real === null) return outsideVerdict(act);
  const lexical = judgeTarget(policy, act, act.target);
  if (act.real === act.target) return lexical;
  const real = judgeTarget(policy, act, act.real);
  return strictness[real.effect] > strictness[lexical.effect] ? real : lexical;
}

function outsideVerdict(act: JudgeableAct): Verdict {
  const because = `${act.kind} of ${JSON.stringify(act.target)} is denied: it does not stay inside the workspace; name a path that does`;
  return { effect: 'deny', rule: null, layer: 'workspace', because };
}

/** Of the rules that cover the target the first of the strictest is the one that is reported. */
function judgeTarget(policy: Policy, act: JudgeableAct, target: string): Verdict {
  let strictest: { readonly layer: Layer; readonly rule: Rule } | undefined;
  for (const layer of policy.layers) {
    for (const rule of layer.rules) {
      const isStricter = strictest === undefined || strictness[rule.effect] > strictness[strictest.rule.effect];
      if (isStricter && covers(rule, act, target)) strictest = { layer, rule };
    }
  }
  if (strictest === undefined) return defaultVerdict(policy.defaults[act.kind], act.kind, target);
  return ruleVerdict(strictest.layer, strictest.rule, act.kind, target);
}

function covers(rule: Rule, act: JudgeableAct, target: string): boolean {
  if (rule.act !== act.kind) return false;
  const matches = (pattern: string) =>
    matchPattern(pattern, target) || (act.letterCase === 'ignored' && matchPattern(fold(pattern), fold(target)));
  return matches(rule.pattern) && !(rule.except ?? []).some(matches);
}

/** As volumes do, which know more spellings than lower case undoes: `ſ` is an `s` there, and characters without width are none. */
function fold(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return plain.toUpperCase().toLowerCase();
}

function ruleVerdict(layer: Layer, rule: Rule, kind: string, target: string): Verdict {
  const decision = `${kind} of ${JSON.stringify(target)} ${toPhrase(rule.effect)} by the rule "${rule.pattern}" of the layer "${layer.name}"`;
  const because = rule.effect === 'allow' ? decision : `${decision}; ${layer.remedy}`;
  return { effect: rule.effect, rule: rule.pattern, layer: layer.name, because };
}

function defaultVerdict(effect: Effect, kind: string, target: string): Verdict {
  const decision = `${kind} of ${JSON.stringify(target)} ${toPhrase(effect)} by default`;
  const because = effect === 'allow' ? decision : `${decision}; a rule that allows it would change that`;
  return { effect, rule: null, layer: 'default', because };
}

function toPhrase(effect: Effect): string {
  return effect === 'allow' ? 'is allowed' : effect === 'deny' ? 'is denied' : 'must be asked for';
}
