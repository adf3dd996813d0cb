// What the driver can be told to do next. `plan` decides, `perform` carries out; nothing else knows these words.
import { endMsOf, pathOf, settingsOf } from '../../shared/agent-tree.ts';
import type { CheckTrigger, Reservation } from '../../shared/event.ts';
import type { AgentId } from '../../shared/id.ts';
import type { LoopKind } from '../../shared/loop-counts.ts';
import type { BudgetWhich, RunOutcome } from '../../shared/outcome.ts';
import type { AgentState, RunState } from '../../shared/run-state.ts';
import { describeSpent } from '../budget/describe-spent.ts';
import type { Compaction } from '../budget/plan-compaction.ts';
import { roomLeft } from '../budget/room-left.ts';

export type Action =
  | {
      readonly kind: 'reason';
      readonly agentId: AgentId;
      readonly step: number;
      readonly attempt: number;
      readonly reservation: Reservation;
    }
  | { readonly kind: 'wait'; readonly agentId: AgentId; readonly untilActiveMs: number }
  | { readonly kind: 'judge'; readonly agentId: AgentId; readonly call: number }
  /** Put these calls to people, all at once. */
  | { readonly kind: 'request'; readonly agentId: AgentId; readonly calls: readonly number[] }
  /** Have another model answer a question. */
  | { readonly kind: 'review'; readonly agentId: AgentId; readonly call: number }
  /** Wait until somebody says something about the run. */
  | { readonly kind: 'await-answer'; readonly agentId: AgentId }
  /** Start these together: reads of one reply, or a single other call. */
  | { readonly kind: 'start'; readonly agentId: AgentId; readonly calls: readonly number[] }
  /** Finish a call that will not be started. */
  | {
      readonly kind: 'answer';
      readonly agentId: AgentId;
      readonly call: number;
      readonly status: 'denied' | 'unusable';
      readonly because: string;
    }
  /** Find out what became of a call that a crash interrupted, or do what a person has decided about it. */
  | { readonly kind: 'settle'; readonly agentId: AgentId; readonly call: number }
  | { readonly kind: 'finish-step'; readonly agentId: AgentId }
  | { readonly kind: 'show-steer'; readonly agentId: AgentId }
  | { readonly kind: 'explain-cut'; readonly agentId: AgentId }
  | ({ readonly kind: 'compact'; readonly agentId: AgentId } & Compaction)
  | { readonly kind: 'check'; readonly agentId: AgentId; readonly trigger: CheckTrigger }
  /** Show the model why its claim did not hold. */
  | { readonly kind: 'show-evidence'; readonly agentId: AgentId }
  /** Finish a call that has waited for other agents long enough. */
  | { readonly kind: 'release'; readonly agentId: AgentId; readonly call: number }
  /** Tell the agent how those ended that it has not waited for. */
  | { readonly kind: 'show-reports'; readonly agentId: AgentId; readonly agents: readonly AgentId[] }
  /** Tell the agent that it goes round in a circle. */
  | { readonly kind: 'show-loop'; readonly agentId: AgentId; readonly loop: LoopKind; readonly count: number }
  /** An agent that was spawned is at its end. */
  | { readonly kind: 'end'; readonly agentId: AgentId; readonly outcome: RunOutcome }
  | Stop;

/** The run is at its end. */
interface Stop {
  readonly kind: 'stop';
  readonly outcome: RunOutcome;
}

export const stop = (outcome: RunOutcome): Stop => ({ kind: 'stop', outcome });

export function stopForBudget(state: RunState, agent: AgentState, which: BudgetWhich): Action {
  const tight = findSpentAt(state, agent, which);
  return stop({ kind: 'budget', which, reason: describeSpent(state, tight, which) });
}

/** Whose limit it is: time, tokens and money of everybody above are spent by whoever works for them. */
function findSpentAt(state: RunState, agent: AgentState, which: BudgetWhich): AgentState {
  if (which === 'steps' || which === 'riskyActs') return agent;
  const path = [...pathOf(state, agent)];
  const left =
    which === 'wallMs' ? path.map((each) => endMsOf(state, each)) : roomLeft(state, agent).map((room) => room[which]);
  return path[left.indexOf(Math.min(...left))] ?? agent;
}

/** A met contract wins over a spent budget, so it is checked once more before the run ends. */
export function endAtBudget(state: RunState, agent: AgentState, which: BudgetWhich): Action[] {
  if (settingsOf(state, agent).verification === 'none') return [stopForBudget(state, agent, which)];
  return [{ kind: 'check', agentId: agent.agentId, trigger: which }];
}
