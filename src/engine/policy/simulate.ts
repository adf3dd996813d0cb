// What another policy would have decided in a run that is over, from its judged acts alone. Only the first difference of a
// call is told: had it gone another way, the rest of the call would not have happened as it did. For the same reason
// whatever an agent did after a difference is conditional: it might never have come to it.
import { type ActKind, type Effect, type ResolvedAct, strictness } from '../../shared/act.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { Circumstances, Policy } from './policy.ts';

/** A judged act as the journal kept it, with everything its verdict followed from. */
export interface RecordedAct extends Circumstances {
  readonly seq: number;
  readonly agentId: string;
  readonly step: number;
  readonly call: number;
  readonly act: ResolvedAct;
  readonly effect: Effect;
  readonly rule: string | null;
  readonly layer: string;
}

export interface Decision {
  readonly effect: Effect;
  readonly rule: string | null;
  readonly layer: string;
}

/** The first act of a call that would have been decided otherwise. */
export interface Difference {
  readonly seq: number;
  readonly agentId: string;
  readonly step: number;
  readonly call: number;
  readonly act: ActKind;
  readonly target: string;
  readonly was: Decision;
  readonly would: Decision;
  /** Why, in the words of the other policy. */
  readonly because: string;
  /** The agent had already been decided about differently before. */
  readonly conditional: boolean;
}

export interface Simulation {
  readonly acts: number;
  readonly calls: number;
  readonly differences: readonly Difference[];
  /** Calls that would have been decided more strictly, and less. */
  readonly stricter: number;
  readonly looser: number;
}

/** Judges `acts`, in the order in which they happened, each by the policy that would have held then. */
export function simulate(acts: Iterable<RecordedAct>, policyAt: (act: RecordedAct) => Policy): Simulation {
  const calls = new Set<string>();
  const different = new Set<string>();
  const agents = new Set<string>();
  const differences: Difference[] = [];
  let count = 0;
  for (const recorded of acts) {
    count++;
    const call = `${recorded.agentId} ${recorded.step} ${recorded.call}`;
    calls.add(call);
    if (different.has(call)) continue;
    const difference = findDifference(recorded, policyAt(recorded), agents.has(recorded.agentId));
    if (difference === null) continue;
    different.add(call);
    agents.add(recorded.agentId);
    differences.push(difference);
  }
  const stricter = differences.filter(({ was, would }) => strictness[would.effect] > strictness[was.effect]).length;
  return { acts: count, calls: calls.size, differences, stricter, looser: differences.length - stricter };
}

function findDifference(recorded: RecordedAct, policy: Policy, conditional: boolean): Difference | null {
  const { seq, agentId, step, call, act } = recorded;
  const verdict = evaluatePolicy(policy, act, recorded);
  if (verdict.effect === recorded.effect) return null;
  const { because } = verdict;
  const [was, would] = [toDecision(recorded), toDecision(verdict)];
  return { seq, agentId, step, call, act: act.kind, target: act.target, was, would, because, conditional };
}

function toDecision({ effect, rule, layer }: Decision): Decision {
  return { effect, rule, layer };
}
