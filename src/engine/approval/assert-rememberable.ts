// What a person may have remembered with an answer. They may write another pattern than the proposed ones, but it has to be
// about the question, and it has to be a rule that answers it the next time.
import type { JudgedAct } from '../../shared/act.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { findRuleFault } from './find-rule-fault.ts';
import { createRuleReach, type RuleCore } from './rule-reach.ts';

export interface Rememberable {
  readonly rule: RuleCore;
  /** The acts of the request. */
  readonly acts: readonly JudgedAct[];
  /** The agent held both untrusted and sensitive input. */
  readonly isTainted: boolean;
}

/** Throws `remember-refused` with the reason. */
export function assertRememberable({ rule, acts, isTainted }: Rememberable): void {
  const asked = acts.filter(({ verdict }) => verdict.effect === 'ask');
  const why =
    findRuleFault(rule) ?? (rule.effect === 'allow' && isTainted ? taintedFault : null) ?? findMismatch(rule, asked);
  if (why === null) return;
  const { act, effect, pattern } = rule;
  throw new EngineError(
    'remember-refused',
    `The rule to ${effect} ${act} of ${JSON.stringify(pattern)} is not remembered: ${why}.`,
    { remedy: 'Answer without remembering, or name one of the patterns that the request proposes.' },
  );
}

const taintedFault = 'the agent was shown both untrusted and sensitive input, so an answer to it counts once';

/** Why the rule is none for what was asked; null where it is. */
function findMismatch(rule: RuleCore, asked: readonly JudgedAct[]): string | null {
  const opaque = asked.find(({ act }) => act.kind === 'exec' && act.opaque !== null);
  if (rule.effect === 'allow' && opaque !== undefined) return 'nobody can say from the text what all of it would do';
  const reach = createRuleReach(rule);
  const [first, ...others] = asked.filter(({ act }) => reach.speaksOf(act));
  if (first === undefined) return 'it matches nothing that this request asks about';
  const isAnswer = [first, ...others].some(({ act, verdict }) => reach.wouldAllow(act, verdict));
  return rule.effect === 'deny' || isAnswer ? null : describeSource(first);
}

function describeSource({ verdict: { rule, layer, wouldChange } }: JudgedAct): string {
  const source = `${rule === null ? '' : `the rule "${rule}" of `}the layer "${layer}"`;
  return `it does not answer ${source}, which asks${wouldChange === null ? '' : `; ${wouldChange}`}`;
}
