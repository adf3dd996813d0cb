// Ends that do not follow from the agent's own plan at the place where they stand: between a plan and the event that says so
// others may have gone on, and nobody outlives whom they work for.
import { isWithin, ledgerOf, pathOf } from '../../../shared/agent-tree.ts';
import type { EventOf, JournalEvent } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { type AgentId, rootAgentId } from '../../../shared/id.ts';
import { isFinal, type RunOutcome } from '../../../shared/outcome.ts';
import type { AgentState, LedgerState, RunState } from '../../../shared/run-state.ts';
import { toCanonicalText } from '../../../shared/to-canonical-text.ts';
import { planAgent } from '../plan.ts';
import type { CallKindOf } from '../plan-calls.ts';

/** What is told of a spent budget tells what stood on the ledger when it was looked at, and others go on paying from it. */
export function isSameEnd(planned: RunOutcome, got: RunOutcome): boolean {
  if (planned.kind === 'budget' && got.kind === 'budget') return planned.which === got.which;
  return toCanonicalText(planned) === toCanonicalText(got);
}

/** Whether it says that the tokens or the money that agents share were spent. */
export function isBudgetEnd(event: JournalEvent): boolean {
  if (event.type === 'check-start') return event.trigger === 'tokens' || event.trigger === 'costUsd';
  return event.type === 'agent-finish' && event.outcome.kind === 'budget';
}

/** What was spent for an agent stays spent, also where others have set something aside since. */
export function settleOutstanding(state: RunState, agentId: AgentId): RunState {
  const settled = { ...state, ledger: withoutOutstanding(state.ledger), agents: { ...state.agents } };
  for (const agent of pathOf(state, agentOf(state, { agentId }))) {
    const { assignment } = agent;
    if (assignment === null) continue;
    const ledger = withoutOutstanding(ledgerOf(state, agent));
    settled.agents[agent.agentId] = { ...agent, assignment: { ...assignment, ledger } };
  }
  return settled;
}

const withoutOutstanding = (ledger: LedgerState): LedgerState => ({
  ...ledger,
  outstanding: { requests: 0, tokens: 0, costUsd: 0 },
});

/** It was ended because somebody it works for is at their end, or with the run. */
export function isEndedWithOther(
  state: RunState,
  { agentId, outcome, activeMs }: EventOf<'agent-finish'>,
  kindOf: CallKindOf,
): boolean {
  if (outcome.kind !== 'cancelled') return false;
  const other = Object.values(state.agents).find((each) => each.agentId === outcome.by);
  if (other === undefined || other.agentId === agentId || !isWithin(agentId, other.agentId)) return false;
  return [state.activeMs, activeMs].some((now) => isAtEnd(state, other, now, kindOf));
}

function isAtEnd(state: RunState, agent: AgentState, activeMs: number, kindOf: CallKindOf): boolean {
  const settled = settleOutstanding(state, agent.agentId);
  const planned = [state, settled].flatMap((each) => planAgent(each, agentOf(each, agent), { activeMs }, kindOf));
  return planned.some(({ kind, ...action }) =>
    agent.agentId === rootAgentId ? 'outcome' in action && isFinal(action.outcome) : kind === 'end',
  );
}
