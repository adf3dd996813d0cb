// The tree that the agents of a run form: who stands above whom, what each is held to, and what it has spent. The root's
// limits and ledger are the run's, so that whatever holds for the tree holds for it.
import { agentOf } from './find-in-run.ts';
import type { AgentId } from './id.ts';
import type { AgentState, LedgerState, RunSettings, RunState, WorktreeState } from './run-state.ts';
import type { Budgets } from './task-contract.ts';

/** The agent itself, then whom it works for, up to the root. */
export function* pathOf(state: RunState, agent: AgentState): Generator<AgentState> {
  for (let at = agent; ; at = agentOf(state, { agentId: at.assignment.parent })) {
    yield at;
    if (at.assignment === null) return;
  }
}

export const ledgerOf = (state: RunState, { assignment }: AgentState): LedgerState =>
  assignment?.ledger ?? state.ledger;

export const budgetsOf = (state: RunState, { assignment }: AgentState): Budgets =>
  assignment?.budgets ?? state.settings.budgets;

/** The run's settings as they are for one agent. */
export function settingsOf({ settings }: RunState, { assignment }: AgentState): RunSettings {
  if (assignment === null) return settings;
  const { budgets, verification, toolBytes, model } = assignment;
  // One that works with the run's own model pays what that costs now: the run may have been given another.
  const price = model === null ? settings.price : assignment.price;
  return { ...settings, budgets, verification, toolBytes, price };
}

/** The worktree that the agent works in; null: the workspace. */
export function worktreeOf(state: RunState, agent: AgentState): WorktreeState | null {
  for (const { assignment } of pathOf(state, agent)) {
    const worktree = assignment?.worktree ?? null;
    if (worktree !== null) return worktree;
  }
  return null;
}

/** Active time since the agent began to work. */
export const activeMsOf = ({ assignment }: AgentState, activeMs: number): number =>
  activeMs - (assignment?.startedActiveMs ?? 0);

/** The active time of the run at which the agent's own time is over; infinite where it is not limited. */
export function endMsOf(state: RunState, agent: AgentState): number {
  const { wallMs } = budgetsOf(state, agent);
  return wallMs === null ? Number.POSITIVE_INFINITY : (agent.assignment?.startedActiveMs ?? 0) + wallMs;
}

/** The same for the agent and everybody it works for, whose ever comes first. */
export const deadlineOf = (state: RunState, agent: AgentState): number =>
  Math.min(...[...pathOf(state, agent)].map((each) => endMsOf(state, each)));

/** Whether the agent is `other`, or works for it, however far below. */
export const isWithin = (agentId: AgentId, other: AgentId): boolean =>
  agentId === other || agentId.startsWith(`${other}/`);

export const hasEnded = (state: RunState, agentId: AgentId): boolean => agentOf(state, { agentId }).ended !== null;

export const hasLiveChildren = (state: RunState, { children }: AgentState): boolean =>
  children.some((child) => !hasEnded(state, child));

/** Who cancelled the agent, or somebody it works for; null for nobody. */
export function cancelledBy(state: RunState, agent: AgentState): string | null {
  for (const { wishes } of pathOf(state, agent)) if (wishes.cancelledBy !== null) return wishes.cancelledBy;
  return state.wishes.cancelledBy;
}

export function isPaused(state: RunState, agent: AgentState): boolean {
  for (const { wishes } of pathOf(state, agent)) if (wishes.pausedBy !== null) return true;
  return state.wishes.pausedBy !== null;
}
