// The order in which the calls of one reply are judged, asked about and started.
import { deadlineOf, hasEnded } from '../../shared/agent-tree.ts';
import type { Posture } from '../../shared/event.ts';
import type { AgentId } from '../../shared/id.ts';
import type { AgentState, CallStage, CallState, RunState } from '../../shared/run-state.ts';
import { toRecoveryPolicy } from '../../shared/to-recovery-policy.ts';
import { type Action, endAtBudget, stop } from './action.ts';

/** How a tool's calls of one reply may be ordered: reads that stand together run together, and so do spawns. */
export type CallKindOf = (tool: string) => 'read' | 'write' | 'plan' | 'spawn';

/**
 * Calls go in the order in which the model made them, reads that stand together at once. All questions of a reply are
 * raised before the first of its calls is held up by one; none whose answer no budget is left to carry out.
 */
export function planCalls(
  state: RunState,
  agent: AgentState,
  calls: readonly CallState[],
  now: { readonly activeMs: number },
  kindOf: CallKindOf,
): Action[] {
  const { agentId } = agent;
  const { posture } = state.settings;
  const canAsk = isWorthAsking(state);
  const upfront = calls.flatMap((call) => planUpfront(agentId, call, posture, canAsk));
  if (upfront.length > 0) return upfront;
  const unasked = calls.filter(({ stage }) => canAsk && stage.kind === 'judged' && stage.effect === 'ask');
  if (unasked.length > 0) return [{ kind: 'request', agentId, calls: unasked.map(({ call }) => call) }];
  const open = calls.filter(({ stage }) => stage.kind !== 'finished');
  const [first] = open;
  if (first === undefined) return [{ kind: 'finish-step', agentId }];
  if (first.stage.kind === 'started') return [];
  const interrupted = open.filter(({ stage }) => stage.kind === 'interrupted');
  if (interrupted.length > 0) return interrupted.map(({ call }) => ({ kind: 'settle', agentId, call }));
  if (first.stage.kind === 'unsettled') return [planUnsettled(state, agentId, first, open)];
  if (first.stage.kind === 'held') return planHeld(state, agent, open, now.activeMs);
  if (!isCleared(first.stage, posture)) {
    return canAsk ? [waitForAnswers(agentId, open, posture, kindOf)] : endAtBudget(state, agent, 'riskyActs');
  }
  return startFrom(state, agent, open, kindOf);
}

/** Nobody is asked what is answered with yes anyway, or what could not be carried out with a yes either. */
function isWorthAsking({ settings: { posture, budgets }, riskyActs }: RunState): boolean {
  return posture !== 'all' && (budgets.riskyActs === null || riskyActs < budgets.riskyActs);
}

/** What is settled for every call of a reply before any of them starts: verdicts, refusals, and what a model can answer. */
function planUpfront(agentId: AgentId, { call, stage }: CallState, posture: Posture, canAsk: boolean): Action[] {
  const refuse = (because: string): Action[] => [{ kind: 'answer', agentId, call, status: 'denied', because }];
  switch (stage.kind) {
    case 'proposed':
      if (stage.unusable === null) return [{ kind: 'judge', agentId, call }];
      return [{ kind: 'answer', agentId, call, status: 'unusable', because: stage.unusable }];
    case 'judged':
      if (stage.effect === 'deny') return refuse(stage.because);
      return stage.effect === 'ask' && posture === 'deny' ? refuse(refusedUnasked(stage.because)) : [];
    case 'waiting':
      if (stage.answer?.decision === 'deny') return refuse(describeDenial(stage));
      if (stage.answer !== null) return [];
      if (posture === 'deny') return refuse(refusedUnasked(stage.because));
      return posture === 'model' && canAsk && !stage.isReviewed ? [{ kind: 'review', agentId, call }] : [];
    case 'started':
    case 'held':
    case 'interrupted':
    case 'unsettled':
    case 'finished':
      return [];
  }
}

/** What nobody can know waits for a person, in the way in which questions do; others of the reply wait behind it. */
function planUnsettled({ settings }: RunState, agentId: AgentId, first: CallState, open: readonly CallState[]): Action {
  const { posture, recovery } = settings;
  const isAsked = toRecoveryPolicy(recovery, posture) === 'ask';
  const isAnswered = first.stage.kind === 'unsettled' && first.stage.answer !== null;
  if (isAnswered || !isAsked) return { kind: 'settle', agentId, call: first.call };
  const waiting = open.flatMap(({ stage }) => (stage.kind === 'unsettled' && stage.answer === null ? [stage] : []));
  if (posture === 'ask' && waiting.some(({ isDeferred }) => !isDeferred)) return { kind: 'await-answer', agentId };
  return stop({ kind: 'awaitingRecovery', calls: waiting.map(({ request }) => request) });
}

/** Nobody said no: whoever started the run chose that every question is answered so. */
const refusedUnasked = (because: string): string =>
  `${because}. Nobody was asked: every question of this run is answered with no (--approve deny).`;

type Waiting = Extract<CallStage, { kind: 'waiting' }>;

function describeDenial({ answer, because }: Waiting): string {
  const reason = answer?.reason ? `: ${answer.reason}` : '.';
  return `${answer?.actor ?? 'somebody'} said no${reason} (It was asked because ${because}.)`;
}

/** Whether a call may start: allowed, or asked and answered with yes. */
function isCleared(stage: CallStage, posture: Posture): boolean {
  if (stage.kind === 'judged') return stage.effect === 'allow' || posture === 'all';
  return stage.kind === 'waiting' && (stage.answer?.decision === 'approve' || posture === 'all');
}

/** Whether a start of this call counts against the budget for risky acts. */
export const isRisky = ({ stage }: CallState): boolean =>
  stage.kind === 'waiting' || (stage.kind === 'judged' && stage.effect === 'ask');

/** With somebody there to answer, the run waits for them; else it ends, and is taken up again when they have. */
function waitForAnswers(agentId: AgentId, open: readonly CallState[], posture: Posture, kindOf: CallKindOf): Action {
  const waiting = open.filter(({ stage }) => stage.kind === 'waiting' && stage.answer === null);
  const isAwaited = waiting.some(({ stage }) => stage.kind === 'waiting' && !stage.isDeferred);
  if (posture === 'ask' && isAwaited) return { kind: 'await-answer', agentId };
  if (waiting.every(({ tool }) => kindOf(tool) === 'plan')) return stop({ kind: 'awaitingPlan' });
  const requests = waiting.flatMap(({ stage }) => (stage.kind === 'waiting' ? [stage.request] : []));
  return stop({ kind: 'awaitingApproval', requests });
}

/** All that were held together end together, in their order: what is told then does not depend on who was quicker. */
function planHeld(state: RunState, agent: AgentState, open: readonly CallState[], activeMs: number): Action[] {
  const { agentId } = agent;
  const group = open.slice(0, open.findIndex(({ stage }) => stage.kind !== 'held') >>> 0);
  const unready = group.flatMap(({ stage }) =>
    stage.kind === 'held' && !isReleased(state, agent, stage, activeMs) ? [stage] : [],
  );
  if (unready.length === 0) return group.map(({ call }) => ({ kind: 'release', agentId, call }));
  const ends = unready.flatMap(({ untilActiveMs }) => (untilActiveMs === null ? [] : [untilActiveMs]));
  return ends.length === 0
    ? []
    : [{ kind: 'wait', agentId, untilActiveMs: Math.min(...ends, deadlineOf(state, agent)) }];
}

type Held = Extract<CallStage, { kind: 'held' }>;

function isReleased(state: RunState, agent: AgentState, { until, untilActiveMs }: Held, activeMs: number): boolean {
  if (untilActiveMs !== null && activeMs >= untilActiveMs) return true;
  if (activeMs >= deadlineOf(state, agent)) return true; // Nobody waits longer than there is time.
  return until.kind === 'mail' ? agent.mailbox.length > 0 : until.agents.every((agentId) => hasEnded(state, agentId));
}

function startFrom(state: RunState, agent: AgentState, open: readonly CallState[], kindOf: CallKindOf): Action[] {
  const { posture, budgets } = state.settings;
  const kind = open[0] === undefined ? 'write' : kindOf(open[0].tool);
  const together: number[] = [];
  let risky = state.riskyActs;
  for (const call of open) {
    const isAlike = kindOf(call.tool) === kind && call.staged === null && isCleared(call.stage, posture);
    const joins = together.length === 0 || isAlike;
    if (!joins) break;
    if (isRisky(call)) risky += 1;
    if (budgets.riskyActs !== null && risky > budgets.riskyActs) break;
    together.push(call.call);
    if ((kind !== 'read' && kind !== 'spawn') || call.staged !== null) break;
  }
  if (together.length === 0) return endAtBudget(state, agent, 'riskyActs');
  return [{ kind: 'start', agentId: agent.agentId, calls: together }];
}
