// What to do next. Pure: the same state and time give the same actions, and what is already under way gives none. Every
// budget is looked at here and nowhere else.
import { budgetsOf, cancelledBy, deadlineOf, hasLiveChildren, isPaused, settingsOf } from '../../shared/agent-tree.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import { findLoop } from '../../shared/loop-counts.ts';
import type { BudgetWhich } from '../../shared/outcome.ts';
import type { AgentState, CheckState, RunState } from '../../shared/run-state.ts';
import { planCompaction } from '../budget/plan-compaction.ts';
import { reserve } from '../budget/reserve.ts';
import { type Action, endAtBudget, stop, stopForBudget } from './action.ts';
import { describeStall } from './describe-loop.ts';
import { isForPeople, isWaiting, mergeWaiting } from './merge-waiting.ts';
import { type CallKindOf, planCalls } from './plan-calls.ts';

export interface Now {
  /** Active wall time of the run up to now, earlier drivers included. */
  readonly activeMs: number;
}

/** Claims in a row, without a change to the workspace, after which the contract counts as not met. */
const claimLimit = 3;

/** What all agents do next. The run stops for what people have to say only when nothing else of it can go on. */
export function plan(state: RunState, now: Now, kindOf: CallKindOf): Action[] {
  const wished = planWishes(state);
  if (state.outcome !== null || wished.kind === 'cancel') return wished.actions;
  const actions = Object.values(state.agents).flatMap((agent) => planAgent(state, agent, now, kindOf));
  if (wished.kind === 'pause' && actions.every((action) => action.kind !== 'stop' || isWaiting(action))) {
    return wished.actions;
  }
  const others = actions.filter((action) => !isWaiting(action));
  if (others.length > 0) return others;
  const waiting = actions.filter(isWaiting);
  const isQuiet = waiting.length > 0 && !Object.values(state.agents).some(isUnderWay);
  return isQuiet ? [mergeWaiting(waiting)] : [];
}

/** What people want of the whole run comes before anything that its agents would do. */
export function planWishes({ outcome, wishes }: RunState): { kind: 'cancel' | 'pause' | 'none'; actions: Action[] } {
  if (outcome !== null) return { kind: 'none', actions: [] };
  if (wishes.cancelledBy !== null) {
    return { kind: 'cancel', actions: [stop({ kind: 'cancelled', by: wishes.cancelledBy })] };
  }
  if (wishes.pausedBy !== null) return { kind: 'pause', actions: [stop({ kind: 'paused' })] };
  return { kind: 'none', actions: [] };
}

/** What one agent does next. A stop is that of the run where the agent is the root. */
export function planAgent(state: RunState, agent: AgentState, now: Now, kindOf: CallKindOf): Action[] {
  if (agent.ended !== null) return [];
  const actions = planOwn(state, agent, now, kindOf);
  if (agent.assignment === null) return actions;
  const { agentId } = agent;
  return actions.map((action) =>
    action.kind === 'stop' && !isForPeople(action.outcome) ? { kind: 'end', agentId, outcome: action.outcome } : action,
  );
}

function planOwn(state: RunState, agent: AgentState, now: Now, kindOf: CallKindOf): Action[] {
  const { phase, agentId, check } = agent;
  const by = agent.assignment === null ? null : cancelledBy(state, agent);
  if (by !== null) return [stop({ kind: 'cancelled', by })];
  if (isUnderWay(agent)) return [];
  if (agent.assignment !== null && isPaused(state, agent)) return [stop({ kind: 'paused' })];
  if (check !== null) return planCheck(state, agent, check, now);
  switch (phase.kind) {
    case 'asking':
      return [];
    case 'failed':
      return [stop({ kind: 'providerFailed', failure: phase.failure, reason: phase.message })];
    case 'cut-off':
      return [{ kind: 'explain-cut', agentId }];
    case 'acting':
      return planCalls(state, agent, phase.calls, now, kindOf);
    case 'claiming':
      return planClaim(state, agent);
    case 'backing-off':
    case 'ready':
      return planRequest(state, agent, now);
    default:
      return assertNever(phase);
  }
}

/** Something of it is being done at this moment, or was when its driver was lost. */
export function isUnderWay({ phase, check, ended }: AgentState): boolean {
  if (ended !== null) return false;
  if (check !== null) return check.result === null;
  if (phase.kind === 'asking') return true;
  const first = phase.kind === 'acting' ? phase.calls.find(({ stage }) => stage.kind !== 'finished') : undefined;
  return first?.stage.kind === 'started';
}

/** What is claimed rests on what those it has spawned do, so they end first, and it is told how. */
function planClaim(state: RunState, agent: AgentState): Action[] {
  const { agentId } = agent;
  if (agent.steers.length > 0) return [{ kind: 'show-steer', agentId }]; // Whoever said it thought it was at work.
  if (hasLiveChildren(state, agent)) return [];
  const untold = listUntold(state, agent);
  if (untold.length > 0) return [{ kind: 'show-reports', agentId, agents: untold }];
  if (settingsOf(state, agent).verification === 'none') return [stop({ kind: 'finished', checked: false })];
  return [{ kind: 'check', agentId, trigger: 'claim' }];
}

/** Those that nobody waited for. */
function listUntold(state: RunState, { children }: AgentState): AgentId[] {
  return children.filter((child) => agentOf(state, { agentId: child }).assignment?.isCollected === false);
}

function planCheck(state: RunState, agent: AgentState, check: CheckState, now: Now): Action[] {
  const { agentId, claims } = agent;
  const { result, trigger, summary } = check;
  if (result === null) return [];
  if (result === 'met') return [stop({ kind: 'met', checked: true })];
  if (trigger !== 'claim') return [stopForBudget(state, agent, trigger)];
  if (result === 'notEvaluated') return [stop({ kind: 'notEvaluated', reason: summary })];
  const spent = findSpent(state, agent, now);
  if (spent !== null) return [stopForBudget(state, agent, spent)]; // Nothing has changed since this check: no second one.
  if (claims < claimLimit) return [{ kind: 'show-evidence', agentId }];
  const reason = `${summary} The model claimed to be done ${claims} times without changing anything.`;
  return [stop({ kind: 'notMet', reason })];
}

/** Before a request: people's words, then the budgets, then the window, then the request itself. */
function planRequest(state: RunState, agent: AgentState, now: Now): Action[] {
  const { agentId, phase } = agent;
  if (agent.steers.length > 0) return [{ kind: 'show-steer', agentId }];
  const spent = findSpent(state, agent, now);
  if (spent !== null) return endSpent(state, agent, spent);
  if (phase.kind === 'backing-off' && phase.untilActiveMs > now.activeMs) {
    return [{ kind: 'wait', agentId, untilActiveMs: phase.untilActiveMs }];
  }
  const circle = findLoop(agent.loops);
  if (circle.kind === 'end') return [stop({ kind: 'stalled', reason: describeStall(circle.loop, circle.count) })];
  if (circle.kind === 'tell') return [{ kind: 'show-loop', agentId, loop: circle.loop, count: circle.count }];
  const compaction = planCompaction(agent, settingsOf(state, agent));
  if (compaction !== null) return [{ kind: 'compact', agentId, ...compaction }];
  const reserved = reserve(state, agent);
  if (reserved.kind === 'outstanding') return [];
  if (reserved.kind === 'spent') return endSpent(state, agent, reserved.which);
  const retry = phase.kind === 'backing-off';
  const step = retry ? agent.step : agent.step + 1;
  return [{ kind: 'reason', agentId, step, attempt: retry ? phase.attempt + 1 : 1, reservation: reserved.reservation }];
}

/** What those do that it has spawned may still fulfil its task; only time does not wait for them. */
function endSpent(state: RunState, agent: AgentState, which: BudgetWhich): Action[] {
  return which !== 'wallMs' && hasLiveChildren(state, agent) ? [] : endAtBudget(state, agent, which);
}

function findSpent(state: RunState, agent: AgentState, now: Now): BudgetWhich | null {
  const { steps } = budgetsOf(state, agent);
  if (now.activeMs >= deadlineOf(state, agent)) return 'wallMs';
  if (steps !== null && agent.phase.kind !== 'backing-off' && agent.step >= steps) return 'steps';
  return null;
}
