// A reading of a run's state for people. Pure, and made of the very functions that the driver plans by, so that what is shown
// is what it goes by.
import { budgetsOf, ledgerOf } from '../../shared/agent-tree.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { BudgetWhich } from '../../shared/outcome.ts';
import type { AgentState, RunState } from '../../shared/run-state.ts';
import type { AgentStatus, RunTree, TreeNode } from '../../shared/run-tree.ts';
import { totalTokens } from '../../shared/usage.ts';
import { spentOf } from '../budget/spent-of.ts';
import { isUnderWay } from './plan.ts';
import { toAgentStatus } from './to-agent-status.ts';

export function toTree(state: RunState): RunTree {
  const { runId, settings, outcome, activeMs } = state;
  const places = countPlaces(state);
  const nodes = [...downFrom(state, agentOf(state, { agentId: rootAgentId }))].map((agent) =>
    toNode(state, agent, toQueued(state, agent, toAgentStatus(state, agent), places)),
  );
  return { runId, title: settings.title, outcome, activeMs, nodes };
}

function* downFrom(state: RunState, agent: AgentState): Generator<AgentState> {
  yield agent;
  for (const child of agent.children) yield* downFrom(state, agentOf(state, { agentId: child }));
}

function countPlaces(state: RunState): number {
  const atWork = Object.values(state.agents).filter((agent) => agent.assignment !== null && isUnderWay(agent));
  return (state.settings.containment?.concurrent ?? 0) - atWork.length;
}

/** One that could go on, and has not begun to, stands in the queue where no place is left. */
function toQueued(state: RunState, agent: AgentState, status: AgentStatus, places: number): AgentStatus {
  const isReady = status.kind === 'working' && agent.assignment !== null && !isUnderWay(agent);
  return isReady && places <= 0 && state.outcome === null ? { kind: 'queued' } : status;
}

function toNode(state: RunState, agent: AgentState, status: AgentStatus): TreeNode {
  const { agentId, assignment, step } = agent;
  const { settled, costUsd, unknown, outstanding } = ledgerOf(state, agent);
  const left = (which: BudgetWhich): number | null => {
    const limit = budgetsOf(state, agent)[which];
    return limit === null ? null : Math.max(0, limit - (spentOf(state, agent, which) ?? limit));
  };
  return {
    agentId,
    parent: assignment?.parent ?? null,
    depth: assignment?.depth ?? 0,
    title: assignment?.title ?? state.settings.title,
    status,
    steps: step,
    spent: { tokens: totalTokens(settled), costUsd, unknown: { ...unknown }, reserved: { ...outstanding } },
    left: { steps: left('steps'), tokens: left('tokens'), costUsd: left('costUsd'), wallMs: left('wallMs') },
  };
}
