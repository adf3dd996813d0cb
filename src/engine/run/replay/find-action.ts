// Which planned action a driver's event came of. The plan is asked for anew at each event, as the driver asked for it; several
// events can come of one action, and of the actions of one plan.
import { budgetsOf, pathOf } from '../../../shared/agent-tree.ts';
import type { EventOf, JournalEvent } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { CallState, RunState } from '../../../shared/run-state.ts';
import { toCanonicalText } from '../../../shared/to-canonical-text.ts';
import type { Action } from '../action.ts';
import { plan, planAgent, planWishes } from '../plan.ts';
import type { CallKindOf } from '../plan-calls.ts';
import { isBudgetEnd, isEndedWithOther, isSameEnd, settleOutstanding } from './agent-ends.ts';
import { compare, type Mismatch } from './divergence.ts';

/** A run as its driver may have seen it, with what each of its agents had planned to do. */
export interface View {
  readonly state: RunState;
  readonly pending: Map<AgentId, readonly Action[]>;
}

export type FoundAction =
  /** Null: it needs no plan. */
  { readonly kind: 'found'; readonly action: Action | null } | { readonly kind: 'none'; readonly mismatch: Mismatch };

export function findAction(view: View, event: JournalEvent, kindOf: CallKindOf): FoundAction {
  if (isFree(view.state, event)) return { kind: 'found', action: null };
  const pending = view.pending.get(event.agentId) ?? [];
  const known = pending.find((action) => causes(action, event) && isUnderWay(action, view.state, event));
  if (known !== undefined) return { kind: 'found', action: known };
  let planned: readonly Action[] = [];
  for (const activeMs of toActiveTimes(view.state, event)) {
    planned = planFor(view.state, event, activeMs, kindOf);
    const action = planned.find((each) => causes(each, event));
    if (action === undefined) continue;
    if (event.type !== 'run-finish') view.pending.set(event.agentId, planned);
    return { kind: 'found', action };
  }
  if (event.type === 'agent-finish' && isEndedWithOther(view.state, event, kindOf)) {
    return { kind: 'found', action: null };
  }
  const { runId, agentId, seq, at, ...body } = event;
  const expected = planned.length === 0 ? 'nothing' : toCanonicalText(planned);
  return { kind: 'none', mismatch: compare('plan', expected, toCanonicalText(body)) ?? neverEqual };
}

/** Each agent plans for itself; what the run comes to follows from all of them. */
function planFor(state: RunState, event: JournalEvent, activeMs: number, kindOf: CallKindOf): Action[] {
  if (event.type === 'run-finish') return [...planWishes(state).actions, ...plan(state, { activeMs }, kindOf)];
  const isHalted = event.type !== 'agent-finish' && planWishes(state).kind !== 'none';
  if (isHalted) return [];
  const planned = planAgent(state, agentOf(state, event), { activeMs }, kindOf);
  if (!isBudgetEnd(event)) return planned;
  const settled = settleOutstanding(state, event.agentId);
  return [...planned, ...planAgent(settled, agentOf(settled, event), { activeMs }, kindOf)];
}

/** A plan is never the text of an event. */
const neverEqual: Mismatch = { what: 'plan', expected: '', got: '' };

/** The driver looked at its clock after the last event that says so and before the next one: what time decides lies between. */
function toActiveTimes(state: RunState, event: JournalEvent): number[] {
  const agent = agentOf(state, event);
  const { phase } = agent;
  const waited = phase.kind === 'backing-off' ? [phase.untilActiveMs] : [];
  const held = phase.kind === 'acting' ? phase.calls.flatMap(({ stage }) => toHeldUntil(stage)) : [];
  const told = 'activeMs' in event ? [event.activeMs] : [];
  const ends = [...pathOf(state, agent)].flatMap((each) => {
    const { wallMs } = budgetsOf(state, each);
    return wallMs === null ? [] : [(each.assignment?.startedActiveMs ?? 0) + wallMs];
  });
  return [state.activeMs, ...told, ...waited, ...held, ...ends];
}

const toHeldUntil = (stage: CallState['stage']): number[] =>
  stage.kind === 'held' && stage.untilActiveMs !== null ? [stage.untilActiveMs] : [];

/** What comes of people, of a driver taking over, or of work that is under way already. */
function isFree(state: RunState, event: JournalEvent): boolean {
  switch (event.type) {
    case 'run-start':
    case 'run-resume':
    case 'run-fork':
    case 'fork-context':
    case 'run-import':
    case 'run-adopt':
    case 'rewind-start':
    case 'run-rewind':
    case 'policy-notice':
    case 'sandbox-create':
    case 'sandbox-cap':
    case 'sandbox-exit':
    case 'sandbox-net':
    case 'fetch-hop':
    case 'process-exit':
    case 'approval-decision':
    case 'recovery-decision':
    case 'run-steer':
    case 'run-pause':
    case 'run-cancel':
    case 'run-takeover':
    case 'agent-resume':
    case 'ceiling-raise':
      return true;
    case 'observation':
      return event.kind === 'rewind' || event.kind === 'fork';
    case 'model-finish':
    case 'model-fail':
      return isAsking(state, event);
    case 'context-compact': // A window that turned out smaller is made room in as soon as that is known.
      return agentOf(state, event).phase.kind === 'backing-off';
    case 'review-finish':
    case 'check-finish':
      return true;
    case 'call-finish':
    case 'call-stage':
    case 'agent-spawn':
    case 'call-hold':
    case 'mail-send':
      return findStage(state, event) === 'started';
    case 'act-judged':
      return event.dropped === true || findStage(state, event) === 'started';
    case 'run-finish':
      return event.outcome.kind === 'interrupted';
    default:
      return false;
  }
}

function isAsking(state: RunState, event: EventOf<'model-finish'> | EventOf<'model-fail'>): boolean {
  const { phase, step } = agentOf(state, event);
  return phase.kind === 'asking' && phase.attempt === event.attempt && step === event.step;
}

function findStage(
  state: RunState,
  event: JournalEvent & { readonly call: number },
): CallState['stage']['kind'] | null {
  const { phase, step } = agentOf(state, event);
  if (phase.kind !== 'acting' || step !== event.step) return null;
  return phase.calls[event.call]?.stage.kind ?? null;
}

/**
 * A question is raised once, and the start of a call is over once its command has left changes, which are judged, asked about
 * and answered anew. A refusal is part of neither.
 */
function isUnderWay({ kind }: Action, state: RunState, event: JournalEvent): boolean {
  if ((kind !== 'start' && kind !== 'request') || !('call' in event) || event.call === undefined) return true;
  if (event.type === 'call-finish' && event.status === 'denied') return false;
  const stage = findStage(state, { ...event, call: event.call });
  return stage === 'judged' || (stage === 'waiting' && kind === 'start');
}

function causes(action: Action, event: JournalEvent): boolean {
  if (action.kind === 'stop') return event.type === 'run-finish' && isSameEnd(action.outcome, event.outcome);
  return action.agentId === event.agentId && causesAs(action, event);
}

function causesAs(action: Exclude<Action, { kind: 'stop' }>, event: JournalEvent): boolean {
  const { type } = event;
  switch (action.kind) {
    case 'reason':
      return type === 'model-start' && isSameRequest(action, event);
    case 'judge':
      return type === 'act-judged' && event.call === action.call;
    case 'request':
      return (type === 'approval-request' || type === 'call-finish') && action.calls.includes(event.call);
    case 'review':
      return type === 'review-start' && event.call === action.call;
    case 'start':
      return isAmong(startEvents, event) && action.calls.includes(event.call);
    case 'answer':
      if (type === 'approval-lapse') return event.call === action.call;
      return type === 'call-finish' && event.call === action.call && event.status === action.status;
    case 'settle':
      return isAmong(settleEvents, event) && event.call === action.call;
    case 'finish-step':
      return type === 'step-finish';
    case 'show-steer':
      return type === 'step-finish' || (type === 'observation' && event.kind === 'steer');
    case 'explain-cut':
      return type === 'step-finish' || (type === 'observation' && event.kind === 'reply-unusable');
    case 'show-evidence':
      return type === 'step-finish' || (type === 'observation' && event.kind === 'check-evidence');
    case 'compact':
      return type === 'context-compact' && isSameCompaction(action, event);
    case 'check':
      return type === 'check-start' && event.trigger === action.trigger;
    case 'show-loop':
      return type === 'observation' && event.kind === 'repetition';
    case 'release':
      return (type === 'call-finish' || type === 'call-stage') && event.call === action.call;
    case 'show-reports':
      return type === 'step-finish' || (type === 'observation' && event.kind === 'agent-reports');
    case 'end':
      return type === 'agent-finish' && isSameEnd(action.outcome, event.outcome);
    case 'wait':
    case 'await-answer':
      return false;
  }
}

type CallEvent = EventOf<'call-start' | 'act-judged' | 'approval-lapse' | 'call-finish' | 'recovery-request'>;

/** What was allowed may not be any more, and what was approved may have changed: the last look is journaled too. */
const startEvents: ReadonlySet<string> = new Set(['call-start', 'act-judged', 'approval-lapse', 'call-finish']);
const settleEvents: ReadonlySet<string> = new Set(['recovery-request', 'act-judged', 'call-finish']);

const isAmong = (types: ReadonlySet<string>, event: JournalEvent): event is CallEvent => types.has(event.type);

function isSameCompaction(
  { before, replaced, leftOut }: Extract<Action, { kind: 'compact' }>,
  event: EventOf<'context-compact'>,
): boolean {
  return before === event.before && replaced === event.replaced && leftOut === event.leftOut;
}

function isSameRequest(action: Extract<Action, { kind: 'reason' }>, event: EventOf<'model-start'>): boolean {
  const { step, attempt, reservation } = action;
  return (
    step === event.step &&
    attempt === event.attempt &&
    reservation.outputTokens === event.maxOutputTokens &&
    toCanonicalText(reservation) === toCanonicalText(event.reservation)
  );
}
