// Judges one act: deny anywhere in the stack wins, then ask, then allow, then the default of the act's kind. There is no
// other way to a verdict: to explain a decision, or to ask what another policy would do, is to make it again.
import { type ResolvedAct, strictness, type Verdict } from '../../shared/act.ts';
import { compilePolicy } from './compile-policy.ts';
import { findRule, isGranted, type Question } from './find-rule.ts';
import { judgeConnection } from './judge-connection.ts';
import type { Circumstances, Policy } from './policy.ts';
import { type Place, toPlaces } from './to-places.ts';
import { type Decision, toEffect, toVerdict } from './to-verdict.ts';

/** The verdict on `act`, with the rule and the layer that made it and the nearest change that would alter it. */
export function evaluatePolicy(policy: Policy, act: ResolvedAct, circumstances: Circumstances): Verdict {
  const places = toPlaces(act);
  if (places === null) return toVerdict(act, { kind: 'unplaced' });
  const tables = compilePolicy(policy)[act.kind];
  const toQuestion = (place: Place): Question => ({ tables, place, circumstances });
  const [named, ...others] = places.map((place) => decide(policy, act, toQuestion(place)));
  const strictest = [...others, judgeConnection(act, toQuestion)].reduce(toStricter, named);
  return toVerdict(act, strictest ?? { kind: 'unplaced' });
}

/** Null for an address that no rule speaks of: what was said of its host stands. */
function decide(policy: Policy, act: ResolvedAct, question: Question): Decision | null {
  const { place } = question;
  const denied = findRule(question, 'deny');
  if (denied !== undefined) return { kind: 'rule', place, placed: denied };
  const asked = findRule(question, 'ask');
  if (place.kind === 'address') return asked === undefined ? null : { kind: 'rule', place, placed: asked };
  const fallback = toFallback(policy, act, question);
  if (toEffect(fallback) === 'deny' && !isGranted(question)) return fallback;
  if (asked !== undefined) return { kind: 'rule', place, placed: asked };
  if (act.kind === 'exec' && act.opaque !== null) return { kind: 'opaque', place, reason: act.opaque };
  const allowed = findRule(question, 'allow');
  return allowed === undefined ? fallback : { kind: 'rule', place, placed: allowed };
}

/** What is decided where no rule speaks. */
function toFallback({ defaults }: Policy, { kind }: ResolvedAct, { place }: Question): Decision {
  return place.kind === 'outside' ? { kind: 'outside', place } : { kind: 'default', place, effect: defaults[kind] };
}

/** Of equally strict decisions a rule says more than a default. */
function toStricter(first: Decision | null | undefined, second: Decision | null): Decision | null {
  if (second === null) return first ?? null;
  if (first === null || first === undefined) return second;
  const difference = strictness[toEffect(second)] - strictness[toEffect(first)];
  const saysMore = difference === 0 && second.kind === 'rule' && first.kind !== 'rule';
  return difference > 0 || saysMore ? second : first;
}
