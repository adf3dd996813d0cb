// What an agent is judged by at this moment: the policy of the run, with the plan gate while it is shut and what people had
// remembered since, under what the agent has been shown. It follows from the folded state alone, so it is the same after a
// restart.
import { agentOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import { isTainted } from '../../shared/provenance.ts';
import type { RunState } from '../../shared/run-state.ts';
import { withLayers } from '../policy/compose-policy.ts';
import { planGate } from '../policy/plan-gate.ts';
import type { Policy, Stance } from '../policy/policy.ts';
import { toRunLayer } from '../policy/run-layer.ts';

export interface StanceOptions {
  readonly policy: Policy;
  /** How strongly commands are enclosed. */
  readonly isolation: string;
  /** Whether the decision at this place of the journal was made with the credential of this home. */
  readonly isGenuine: (seq: number) => boolean;
}

export type StanceOf = (state: RunState, agentId: AgentId) => Stance;

export function createStanceOf({ policy, isolation, isGenuine }: StanceOptions): StanceOf {
  let composed = { remembered: 0, plan: '', policy };
  const compose = ({ remembered, plan }: RunState): Policy => {
    if (composed.remembered !== remembered.length || composed.plan !== plan) {
      const rules = remembered.filter(({ seq }) => isGenuine(seq)).map(({ rule }) => rule);
      const layers = [...(plan === 'wanted' ? [planGate] : []), toRunLayer(rules)];
      composed = { remembered: remembered.length, plan, policy: withLayers(policy, layers) };
    }
    return composed.policy;
  };
  return (state, agentId) => ({
    policy: compose(state),
    isTainted: isTainted(agentOf(state, { agentId }).label),
    isolation,
  });
}
