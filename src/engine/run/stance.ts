// What an agent is judged by at this moment: the policy of the run, with the plan gate while it is shut and what people had
// remembered since, under what the agent has been shown. It follows from the folded state alone, so it is the same after a
// restart.
import { AgentTask } from '../../shared/agent-task.ts';
import type { BlobRef } from '../../shared/blob-ref.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import { isTainted } from '../../shared/provenance.ts';
import type { AgentState, RunState } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import { withLayers } from '../policy/compose-policy.ts';
import { containPolicy } from '../policy/contain-policy.ts';
import { planGate } from '../policy/plan-gate.ts';
import type { Policy, Stance } from '../policy/policy.ts';
import { toRunLayer } from '../policy/run-layer.ts';

export interface StanceOptions {
  readonly policy: Policy;
  /** How strongly commands are enclosed. */
  readonly isolation: string;
  /** Whether the decision at this place of the journal was made with the credential of this home. */
  readonly isGenuine: (seq: number) => boolean;
  /** Where the tasks of spawned agents stand. */
  readonly reader: Pick<JournalReader, 'readOriginal'>;
}

export type StanceOf = (state: RunState, agentId: AgentId) => Stance;

export function createStanceOf({ policy, isolation, isGenuine, reader }: StanceOptions): StanceOf {
  let composed = { remembered: 0, plan: '', policy };
  const compose = ({ remembered, plan }: RunState): Policy => {
    if (composed.remembered !== remembered.length || composed.plan !== plan) {
      const rules = remembered.filter(({ seq }) => isGenuine(seq)).map(({ rule }) => rule);
      const layers = [...(plan === 'wanted' ? [planGate] : []), toRunLayer(rules)];
      composed = { remembered: remembered.length, plan, policy: withLayers(policy, layers) };
    }
    return composed.policy;
  };
  const contained = new Map<AgentId, { ceiling: Policy; policy: Policy }>();
  /** Whom an agent works for is a ceiling over it, and what was denied it comes on top. */
  const contain = (state: RunState, agent: AgentState): Policy => {
    const { assignment, agentId } = agent;
    if (assignment === null) return compose(state);
    const ceiling = contain(state, agentOf(state, { agentId: assignment.parent }));
    const known = contained.get(agentId);
    if (known?.ceiling === ceiling) return known.policy;
    const { deny } = readAgentTask(reader, assignment.task);
    // Where nothing is denied it is the same policy, which is compiled once.
    const narrowed = deny.length === 0 ? ceiling : containPolicy(ceiling, toRole(agentId, deny));
    contained.set(agentId, { ceiling, policy: narrowed });
    return narrowed;
  };
  return (state, agentId) => {
    const agent = agentOf(state, { agentId });
    return { policy: contain(state, agent), isTainted: isTainted(agent.label), isolation };
  };
}

function toRole(agentId: AgentId, deny: AgentTask['deny']): Policy {
  const rules = deny.map(({ act, pattern }) => ({ act, effect: 'deny', pattern }) as const);
  const remedy = 'whoever has spawned the agent has denied it this';
  return { layers: [{ name: agentId, origin: 'agent', rules, remedy }], defaults: permissiveDefaults };
}

/** A role changes no default: what it does not deny is as it was. */
const permissiveDefaults = { read: 'allow', write: 'allow', exec: 'allow', net: 'allow' } as const;

/** The task of a spawned agent, out of the journal. */
export function readAgentTask(reader: Pick<JournalReader, 'readOriginal'>, blob: BlobRef): AgentTask {
  const known =
    tasks.get(blob) ?? AgentTask.parse(JSON.parse(new TextDecoder().decode(reader.readOriginal(blob.hash))));
  tasks.set(blob, known);
  return known;
}

/** By the reference in the state: it is asked for when the agent is opened, and when it is first judged. */
const tasks = new WeakMap<BlobRef, AgentTask>();
