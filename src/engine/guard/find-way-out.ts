// Whether a command gets a way to the network, and to which hosts. It does where a person has said so: by a rule that allows
// a host, or by letting a command pass that names one. A default that allows is nobody's word for a program that names none.
import type { JudgedAct } from '../../shared/act.ts';
import type { JudgeTarget } from '../net/egress-proxy/egress-proxy.ts';
import { allowsHosts } from '../policy/allows-hosts.ts';
import type { Stance } from '../policy/policy.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createEgressJudge } from './create-egress-judge.ts';
import { findRefusal } from './judge-resolved.ts';

export interface WayOutOptions {
  readonly sandbox: Sandbox;
  readonly stance: Stance;
  /** `ask`: somebody said yes to the command. */
  readonly permitted: 'allow' | 'ask';
}

export interface WayOut {
  readonly judge: JudgeTarget;
}

/** Null where it gets none, or needs none because nothing encloses it. */
export function findWayOut(acts: readonly JudgedAct[], { sandbox, stance, permitted }: WayOutOptions): WayOut | null {
  if (sandbox.isolation === null || sandbox.isolation === 'none') return null;
  const named = acts.filter(({ act }) => act.kind === 'net');
  if (named.some(({ verdict }) => findRefusal(verdict, permitted) !== null)) return null;
  // Where no host can be kept apart from another, it is told so only to a command that surely wants one.
  const isOffered = named.length > 0 || (sandbox.isolation === 'bwrap' && allowsHosts(stance.policy));
  if (!isOffered) return null;
  const approved = named.filter(({ verdict }) => verdict.effect === 'ask').map(({ act }) => act.target);
  return { judge: createEgressJudge(stance, new Set(approved)) };
}
