// The order in which the calls of one reply are judged, asked about and started.
import type { Posture } from '../../shared/event.ts';
import type { AgentId } from '../../shared/id.ts';
import type { AgentState, CallState, RunState } from '../../shared/run-state.ts';
import { type Action, endAtBudget, stop } from './action.ts';

/** How a tool's calls of one reply may be ordered: reads that stand together run together. */
export type CallKindOf = (tool: string) => 'read' | 'write';

/**
 * Calls go in the order in which the model made them, reads that stand together at once. All questions of a reply are
 * raised before the first of its calls is held up by one.
 */
export function planCalls(
  state: RunState,
  agent: AgentState,
  calls: readonly CallState[],
  kindOf: CallKindOf,
): Action[] {
  const { agentId } = agent;
  const upfront = calls.flatMap((call) => planUpfront(agentId, call, state.settings.posture));
  if (upfront.length > 0) return upfront;
  const open = calls.filter(({ stage }) => stage.kind !== 'finished');
  const [first] = open;
  if (first === undefined) return [{ kind: 'finish-step', agentId }];
  if (first.stage.kind === 'started') return [];
  if (first.stage.kind === 'interrupted') return [{ kind: 'settle', agentId, call: first.call }];
  if (!isCleared(first, state.settings.posture))
    return [stop({ kind: 'awaitingApproval', requests: findRequests(open) })];
  return startFrom(state, agent, open, kindOf);
}

/** What is settled for every call of a reply before any of them starts: verdicts, questions and refusals. */
function planUpfront(agentId: AgentId, { call, stage }: CallState, posture: Posture): Action[] {
  switch (stage.kind) {
    case 'proposed':
      if (stage.unusable === null) return [{ kind: 'judge', agentId, call }];
      return [{ kind: 'answer', agentId, call, status: 'unusable', because: stage.unusable }];
    case 'judged':
      if (stage.effect === 'deny') return [{ kind: 'answer', agentId, call, status: 'denied', because: stage.because }];
      if (stage.effect === 'allow' || posture === 'all') return [];
      if (posture === 'defer') return [{ kind: 'request', agentId, call, because: stage.because }];
      return [
        refuseAsk(agentId, call, `${stage.because} Every question of this run is answered with no (--approve deny).`),
      ];
    case 'waiting':
      if (stage.decision === 'deny') return [refuseAsk(agentId, call, `A person said no. ${stage.because}`)];
      if (stage.decision === null && posture === 'deny') {
        return [
          refuseAsk(agentId, call, `${stage.because} Every question of this run is answered with no (--approve deny).`),
        ];
      }
      return [];
    case 'started':
    case 'interrupted':
    case 'finished':
      return [];
  }
}

const refuseAsk = (agentId: AgentId, call: number, because: string): Action => ({
  kind: 'answer',
  agentId,
  call,
  status: 'denied',
  because,
});

/** Whether a call may start: allowed, or asked and answered with yes. */
function isCleared({ stage }: CallState, posture: Posture): boolean {
  if (stage.kind === 'judged') return stage.effect === 'allow' || posture === 'all';
  return stage.kind === 'waiting' && (stage.decision === 'approve' || posture === 'all');
}

/** Whether a start of this call counts against the budget for risky acts. */
export const isRisky = ({ stage }: CallState): boolean =>
  stage.kind === 'waiting' || (stage.kind === 'judged' && stage.effect === 'ask');

function findRequests(calls: readonly CallState[]): string[] {
  return calls.flatMap(({ stage }) => (stage.kind === 'waiting' && stage.decision === null ? [stage.request] : []));
}

function startFrom(state: RunState, { agentId }: AgentState, open: readonly CallState[], kindOf: CallKindOf): Action[] {
  const { posture, budgets } = state.settings;
  const together: number[] = [];
  let risky = state.riskyActs;
  for (const call of open) {
    const joins = together.length === 0 || (kindOf(call.tool) === 'read' && isCleared(call, posture));
    if (!joins) break;
    if (isRisky(call)) risky += 1;
    if (budgets.riskyActs !== null && risky > budgets.riskyActs) break;
    together.push(call.call);
    if (kindOf(call.tool) === 'write') break;
  }
  if (together.length === 0) return endAtBudget(state, agentId, 'riskyActs');
  return [{ kind: 'start', agentId, calls: together }];
}
