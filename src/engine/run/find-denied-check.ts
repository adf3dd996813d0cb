// Whether a rule forbids what the check of the contract would run. Whoever supplied the contract has answered every question
// about it already, and what is only denied for want of a rule; a rule that denies nobody has answered.
import type { DeclaredAct, JudgedAct } from '../../shared/act.ts';
import type { AgentId } from '../../shared/id.ts';
import { type LeafVerification, toLeaves } from '../../shared/verification.ts';
import type { CheckReport } from '../check/check.ts';
import { toReason } from '../policy/to-reason.ts';
import type { CallPorts } from './driver-ports.ts';

/** The report of a check that may not be carried out; null for one that may. */
export async function findDeniedCheck(
  { guard, contract, recorder, stanceOf }: CallPorts,
  agentId: AgentId,
): Promise<CheckReport | null> {
  const stance = stanceOf(recorder.state, agentId);
  for (const act of toLeaves(contract.verification).flatMap(toLeafActs)) {
    const denied = (await guard.judge(act, stance)).find(isDeniedByRule);
    if (denied === undefined) continue;
    const reason = toReason(denied.verdict);
    return {
      result: 'notEvaluated',
      summary: `The check may not be carried out: ${reason}.`,
      evidence: reason,
      isolation: null,
    };
  }
  return null;
}

const isDeniedByRule = ({ verdict }: JudgedAct): boolean => verdict.effect === 'deny' && verdict.rule !== null;

/** Reading is judged when it happens; here is only what would run. */
function toLeafActs(leaf: LeafVerification): DeclaredAct[] {
  return leaf.kind === 'command' ? [{ kind: 'exec', argv: leaf.argv }] : [];
}
