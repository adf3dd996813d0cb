// An act with what the world was asked about it, before any policy has seen it. What cannot be told is refused whatever the
// policy says, and the refusal travels with the act.
import type { ActKind, JudgedAct, PathAct, ResolvedAct, Verdict } from '../../shared/act.ts';
import { evaluatePolicy } from '../policy/evaluate-policy.ts';
import type { Stance } from '../policy/policy.ts';
import { toReason } from '../policy/to-reason.ts';
import type { TrackedScope } from './command-line/line-part.ts';

export interface Resolved<Act extends ResolvedAct = ResolvedAct> {
  readonly act: Act;
  /** Why it is denied without a look at the policy, as the end of a sentence; null for what a policy can decide. */
  readonly refusal: string | null;
  /** It is about everything below a directory as well. */
  readonly isDeep?: boolean;
  /** It is about what git keeps of these files as well. */
  readonly tracked?: TrackedScope;
  /** It is about what this pattern of the shell matches below it, and about nothing else there. */
  readonly glob?: string;
}

/** The verdict on a resolved act. */
export function judgeResolved({ act, refusal }: Resolved, stance: Stance): JudgedAct {
  if (refusal === null) return { act, verdict: evaluatePolicy(stance.policy, act, stance) };
  const because = `${act.kind} of ${JSON.stringify(shorten(act.target))} is denied: ${refusal}`;
  // A path that cannot be placed is denied by every policy, so that its verdict can be made again from the act alone.
  const verdict = isPathAct(act) ? evaluatePolicy(stance.policy, act, stance) : unreadable;
  return {
    act,
    verdict: { ...verdict, because, wouldChange: remedies[act.kind] },
  };
}

/** Why nothing is done, or null when it may be: a denial always stands, an ask only where nobody said yes. */
export function findRefusal(verdict: Verdict, permitted: 'allow' | 'ask'): string | null {
  if (verdict.effect === 'deny') return toReason(verdict);
  return verdict.effect === 'ask' && permitted === 'allow' ? `${verdict.because}, and nobody was asked` : null;
}

export function isPathAct(act: ResolvedAct): act is PathAct {
  return act.kind === 'read' || act.kind === 'write';
}

const maxShownLength = 240;

function shorten(text: string): string {
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)} …`;
}

const remedies: Readonly<Record<ActKind, string>> = {
  read: 'name another path',
  write: 'name another path',
  exec: 'write it as shorter and plainer lines',
  net: 'name a host with its port, as in example.com:443',
};

const unreadable: Omit<Verdict, 'because' | 'wouldChange'> = {
  effect: 'deny',
  rule: null,
  layer: 'guard',
  origin: 'built-in',
};
