// The loop of one agent: plan, perform, until it has nothing to do that does not wait for somebody else.
import { cancelledBy, deadlineOf } from '../../../shared/agent-tree.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { RunOutcome } from '../../../shared/outcome.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';
import type { Action } from '../action.ts';
import type { DriverPorts } from '../driver-ports.ts';
import type { Lookout } from '../lookout.ts';
import { type PerformableAction, perform } from '../perform.ts';
import { type Now, planAgent, planWishes } from '../plan.ts';
import { recordProcesses } from '../record-processes.ts';
import type { Slots } from './slots.ts';

/** Why an agent does nothing. */
export type Rest =
  /** Others have to do something first: to end, or to leave room for its request. Its time may be over before that. */
  | { readonly kind: 'idle'; readonly wants: 'others' | 'room'; readonly deadlineMs: number | null }
  /** Until the run has been active so long. */
  | { readonly kind: 'until'; readonly activeMs: number }
  /** People are to say something. */
  | { readonly kind: 'answer' }
  /** As many are at work as may be. */
  | { readonly kind: 'queued'; readonly deadlineMs: number | null }
  /** Of the root, or of one that waits for people while nobody is there. */
  | { readonly kind: 'stop'; readonly stop: Extract<Action, { kind: 'stop' }> }
  /** Of one that was spawned. */
  | { readonly kind: 'end'; readonly outcome: RunOutcome };

export interface AgentLoop {
  readonly ports: DriverPorts;
  readonly lookout: Lookout;
  readonly slots: Slots;
  /** Told at once, before what led to it is durable: whatever happens meanwhile may be what the agent waits for. */
  readonly onRest: (rest: Rest) => void;
}

/** What led to the rest is durable when it resolves. */
export async function driveAgent(loop: AgentLoop, agentId: AgentId): Promise<Rest> {
  const { ports } = loop;
  const { recorder, clock } = ports;
  const kindOf = (tool: string) => ports.tools.get(tool)?.kind ?? 'write';
  for (;;) {
    await recordProcesses(ports, { agentId, step: agentOf(recorder.state, { agentId }).step });
    recorder.catchUp();
    const { state } = recorder;
    const isHalted = planWishes(state).kind !== 'none' || loop.lookout.isCutOff(agentId);
    const now = { activeMs: clock.activeMs() };
    const actions = isHalted ? [] : planAgent(state, agentOf(state, { agentId }), now, kindOf);
    const rest = toRest(loop, agentId, now, actions);
    if (rest !== null) {
      loop.onRest(rest);
      await recorder.commit();
      // Somebody's word was folded in with it, which may be to one that is about to end.
      if (recorder.state !== state) continue;
      return rest;
    }
    for (const action of actions) {
      if (isRest(action) || (await performBounded(loop, action)) === 'cut-off') break;
    }
  }
}

type RestingAction = Extract<Action, { kind: 'stop' | 'end' | 'wait' | 'await-answer' }>;

const isRest = (action: Action): action is RestingAction =>
  action.kind === 'stop' || action.kind === 'end' || action.kind === 'wait' || action.kind === 'await-answer';

/** Null where there is something to do. */
function toRest({ ports, slots }: AgentLoop, agentId: AgentId, now: Now, [first]: readonly Action[]): Rest | null {
  const { state } = ports.recorder;
  const agent = agentOf(state, { agentId });
  if (first === undefined)
    return { kind: 'idle', wants: wantsRoom(agent) ? 'room' : 'others', ...toAlarm(state, agent, now) };
  switch (first.kind) {
    case 'stop':
      return { kind: 'stop', stop: first };
    case 'end':
      return { kind: 'end', outcome: first.outcome };
    case 'wait':
      return { kind: 'until', activeMs: first.untilActiveMs };
    case 'await-answer':
      return { kind: 'answer' };
    default:
      if (agent.assignment === null || slots.take(agentId)) return null;
      return { kind: 'queued', ...toAlarm(state, agent, now) };
  }
}

/** When it has to look again although nothing has happened. After its deadline there is nothing new to see. */
function toAlarm(state: RunState, agent: AgentState, { activeMs }: Now): { deadlineMs: number | null } {
  const deadlineMs = deadlineOf(state, agent);
  return { deadlineMs: deadlineMs > activeMs && Number.isFinite(deadlineMs) ? deadlineMs : null };
}

/** It would make a request: what is set aside for others leaves too little for it, or those it has spawned are at work. */
const wantsRoom = ({ phase }: AgentState): boolean => phase.kind === 'ready' || phase.kind === 'backing-off';

/**
 * Work is cut off by the process ending, a person cancelling, or the time budget; the last check only by the first two. What
 * was planned to come after it is not begun then.
 */
async function performBounded({ ports, lookout }: AgentLoop, action: PerformableAction): Promise<'done' | 'cut-off'> {
  const { recorder, clock } = ports;
  const { agentId } = action;
  const leftMs = action.kind === 'check' ? null : findLeftMs(recorder.state, agentId, clock.activeMs());
  using bounds = lookout.open(agentId, leftMs);
  await perform(ports, action, bounds.signal);
  const { state } = recorder;
  if (!bounds.signal.aborted && cancelledBy(state, agentOf(state, { agentId })) === null) return 'done';
  // A person's word is folded only behind what is durable, and what was cut off by it leaves nothing else to do next.
  await recorder.commit();
  return 'cut-off';
}

/** Of the time of the agent and of everybody it works for; null: as long as it takes. */
function findLeftMs(state: RunState, agentId: AgentId, activeMs: number): number | null {
  const leftMs = deadlineOf(state, agentOf(state, { agentId })) - activeMs;
  return Number.isFinite(leftMs) ? Math.max(0, leftMs) : null;
}
