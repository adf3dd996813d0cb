// What to do next. Pure: the same state and time give the same actions, and what is already under way gives none. Every
// budget is looked at here and nowhere else.
import { assertNever } from '../../shared/assert-never.ts';
import type { BudgetWhich } from '../../shared/outcome.ts';
import type { AgentState, CheckState, RunState } from '../../shared/run-state.ts';
import { planCompaction } from '../budget/plan-compaction.ts';
import { reserve } from '../budget/reserve.ts';
import { type Action, endAtBudget, stop, stopForBudget } from './action.ts';
import { type CallKindOf, planCalls } from './plan-calls.ts';

export interface Now {
  /** Active wall time of the run up to now, earlier drivers included. */
  readonly activeMs: number;
}

/** Claims in a row, without a change to the workspace, after which the contract counts as not met. */
const claimLimit = 3;

export function plan(state: RunState, now: Now, kindOf: CallKindOf): Action[] {
  if (state.outcome !== null) return [];
  const { cancelledBy, pausedBy } = state.wishes;
  if (cancelledBy !== null) return [stop({ kind: 'cancelled', by: cancelledBy })];
  const actions = Object.values(state.agents).flatMap((agent) => planAgent(state, agent, now, kindOf));
  if (pausedBy !== null && actions.every(({ kind }) => kind !== 'stop')) return [stop({ kind: 'paused' })];
  return actions;
}

function planAgent(state: RunState, agent: AgentState, now: Now, kindOf: CallKindOf): Action[] {
  const { phase, agentId, check } = agent;
  if (check !== null) return planCheck(state, agent, check, now);
  switch (phase.kind) {
    case 'asking':
      return [];
    case 'failed':
      return [stop({ kind: 'providerFailed', failure: phase.failure, reason: phase.message })];
    case 'cut-off':
      return [{ kind: 'explain-cut', agentId }];
    case 'acting':
      return planCalls(state, agent, phase.calls, kindOf);
    case 'claiming':
      if (state.settings.verification === 'none') return [stop({ kind: 'finished', checked: false })];
      return [{ kind: 'check', agentId, trigger: 'claim' }];
    case 'backing-off':
    case 'ready':
      return planRequest(state, agent, now);
    default:
      return assertNever(phase);
  }
}

function planCheck(state: RunState, agent: AgentState, check: CheckState, now: Now): Action[] {
  const { agentId, claims } = agent;
  const { result, trigger, summary } = check;
  if (result === null) return [];
  if (result === 'met') return [stop({ kind: 'met', checked: true })];
  if (trigger !== 'claim') return [stopForBudget(state, trigger)];
  if (result === 'notEvaluated') return [stop({ kind: 'notEvaluated', reason: summary })];
  const spent = findSpent(state, agent, now);
  if (spent !== null) return [stopForBudget(state, spent)]; // Nothing has changed since this check: no second one.
  if (claims < claimLimit) return [{ kind: 'show-evidence', agentId }];
  const reason = `${summary} The model claimed to be done ${claims} times without changing anything.`;
  return [stop({ kind: 'notMet', reason })];
}

/** Before a request: people's words, then the budgets, then the window, then the request itself. */
function planRequest(state: RunState, agent: AgentState, now: Now): Action[] {
  const { agentId, phase } = agent;
  if (agent.steers.length > 0) return [{ kind: 'show-steer', agentId }];
  const spent = findSpent(state, agent, now);
  if (spent !== null) return endAtBudget(state, agentId, spent);
  if (phase.kind === 'backing-off' && phase.untilActiveMs > now.activeMs) {
    return [{ kind: 'wait', agentId, untilActiveMs: phase.untilActiveMs }];
  }
  const compaction = planCompaction(agent, state.settings);
  if (compaction !== null) return [{ kind: 'compact', agentId, ...compaction }];
  const reserved = reserve(state, agent);
  if (reserved.kind === 'spent') return endAtBudget(state, agentId, reserved.which);
  const retry = phase.kind === 'backing-off';
  const step = retry ? agent.step : agent.step + 1;
  return [{ kind: 'reason', agentId, step, attempt: retry ? phase.attempt + 1 : 1, reservation: reserved.reservation }];
}

function findSpent(state: RunState, agent: AgentState, now: Now): BudgetWhich | null {
  const { steps, wallMs } = state.settings.budgets;
  if (wallMs !== null && now.activeMs >= wallMs) return 'wallMs';
  if (steps !== null && agent.phase.kind !== 'backing-off' && agent.step >= steps) return 'steps';
  return null;
}
