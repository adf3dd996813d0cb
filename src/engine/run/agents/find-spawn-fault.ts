// Why an agent cannot be spawned: a cap of the tree, or something in the task that whoever asks does not have to give. Names
// the cap and what is left of it.
import { budgetsOf, pathOf, worktreeOf } from '../../../shared/agent-tree.ts';
import type { EventPlace } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { Price } from '../../../shared/usage.ts';
import { roomLeft } from '../../budget/room-left.ts';
import { findPatternProblem } from '../../policy/find-pattern-problem.ts';
import type { SpawnCall } from './agent-call.ts';
import { findRole, type RoleSource, withRole } from './with-role.ts';

export interface SpawnOffer {
  /** What whoever asks has itself. */
  readonly tools: readonly string[];
  /** Null: unpriced. */
  readonly priceOf: (model: string) => Price | null;
  readonly contract: RoleSource;
}

/** Null where nothing stands against it. */
export function findSpawnFault(
  state: RunState,
  place: EventPlace,
  asked: SpawnCall,
  { tools, priceOf, contract }: SpawnOffer,
): string | null {
  const wish = withRole(asked, contract);
  const { containment } = state.settings;
  if (containment === null) return 'No agent was spawned: the contract of this run has no containment.';
  const fault =
    findTreeFault(state, place) ??
    findRoleFault(asked, contract) ??
    findToolFault(asked, tools) ??
    findModelFault(state, place, wish, priceOf) ??
    findDenyFault(wish) ??
    findWorktreeFault(state, place, wish) ??
    findBudgetFault(state, place);
  return fault === null ? null : `No agent was spawned: ${fault}`;
}

function findTreeFault(state: RunState, place: EventPlace): string | null {
  const { total = 1, depth = 0 } = state.settings.containment ?? {};
  const count = Object.keys(state.agents).length;
  if (count >= total) return `the cap on agents in all is ${total}, you included, and ${count} were made; 0 are left.`;
  const own = agentOf(state, place).assignment?.depth ?? 0;
  if (own < depth) return null;
  return `the cap on depth is ${depth}, and you work at depth ${own}; 0 are left. Do yourself what is to be done.`;
}

function findRoleFault({ role }: SpawnCall, contract: RoleSource): string | null {
  if (role === null || findRole(contract, role) !== undefined) return null;
  const known = Object.keys(contract.containment?.roles ?? {});
  return `the contract names no role ${JSON.stringify(role)}. It names: ${known.join(', ') || 'none'}.`;
}

function findToolFault({ tools: wished }: SpawnCall, tools: readonly string[]): string | null {
  const unknown = wished?.find((name) => !tools.includes(name));
  return unknown === undefined
    ? null
    : `you have no tool ${JSON.stringify(unknown)} to give. Yours are: ${tools.join(', ')}.`;
}

function findModelFault(
  state: RunState,
  place: EventPlace,
  { model }: SpawnCall,
  priceOf: SpawnOffer['priceOf'],
): string | null {
  const { provider, containment } = state.settings;
  if (model === null || model === provider.model) return null;
  const known = [provider.model, ...(containment?.models ?? [])];
  if (!known.includes(model)) {
    return `the contract allows no model ${JSON.stringify(model)} here. It allows: ${known.join(', ')}.`;
  }
  const isLimited = [...pathOf(state, agentOf(state, place))].some((each) => budgetsOf(state, each).costUsd !== null);
  return isLimited && priceOf(model) === null
    ? `money is limited here, and nobody knows what the model ${JSON.stringify(model)} costs.`
    : null;
}

function findDenyFault({ task }: SpawnCall): string | null {
  for (const { act, pattern } of task.deny) {
    const problem = findPatternProblem(act, pattern);
    if (problem !== null) return `the pattern ${JSON.stringify(pattern)} in "deny" ${problem}.`;
  }
  return null;
}

/** What it changes is made by the call that waits for it, where that call belongs. */
function findWorktreeFault(state: RunState, place: EventPlace, { isApart, isDetached }: SpawnCall): string | null {
  if (!isApart) return null;
  if (isDetached) return 'what it changes in a worktree is made when you have waited for it, so it cannot be detached.';
  const own = worktreeOf(state, agentOf(state, place));
  return own === null ? null : 'you work in a worktree yourself, and git does not work there.';
}

/** One that could not even ask for its first reply would only cost a place. */
function findBudgetFault(state: RunState, place: EventPlace): string | null {
  const agent = agentOf(state, place);
  const rooms = roomLeft(state, agent).map(({ atBest }) => atBest);
  const at = rooms.findIndex(({ tokens, costUsd }) => Math.min(tokens, costUsd) <= 0);
  const spent = [...pathOf(state, agent)][at];
  if (spent === undefined) return null;
  const { tokens, costUsd } = budgetsOf(state, spent);
  const cap = (rooms[at]?.tokens ?? 0) <= 0 ? `tokens is ${tokens}` : `money is $${costUsd}`;
  return `the cap on ${cap} for ${spent === agent ? 'you' : spent.agentId} and all below; 0 are left.`;
}
