// What a command may connect to, by the policy that judged its line. A yes was given to the hosts that the line names; to
// another one that policy asks about nobody said it.
import type { JudgeTarget } from '../net/egress-proxy/egress-proxy.ts';
import type { Stance } from '../policy/policy.ts';
import { judgeAddresses } from './judge-addresses.ts';
import { findRefusal, judgeResolved } from './judge-resolved.ts';
import { resolveNetTarget } from './resolve-net-target.ts';

/** `approved`: targets, in their normal form, that somebody was asked about for this very command. */
export function createEgressJudge(stance: Stance, approved: ReadonlySet<string>): JudgeTarget {
  return (text) => {
    const resolved = resolveNetTarget(text);
    const { act } = resolved;
    const permission = { stance, permitted: approved.has(act.target) ? 'ask' : 'allow' } as const;
    return {
      target: act.target,
      refusal: findRefusal(judgeResolved(resolved, stance).verdict, permission.permitted),
      judgeAddresses: (addresses) => judgeAddresses(act, addresses, permission),
    };
  };
}
