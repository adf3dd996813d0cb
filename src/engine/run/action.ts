// What the driver can be told to do next. `plan` decides, `perform` carries out; nothing else knows these words.
import type { CheckTrigger, Reservation } from '../../shared/event.ts';
import type { AgentId } from '../../shared/id.ts';
import type { BudgetWhich, RunOutcome } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import { describeSpent } from '../budget/describe-spent.ts';
import type { Compaction } from '../budget/plan-compaction.ts';

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
  | { readonly kind: 'stop'; readonly outcome: RunOutcome };

export const stop = (outcome: RunOutcome): Action => ({ kind: 'stop', outcome });

export const stopForBudget = (state: RunState, which: BudgetWhich): Action =>
  stop({ kind: 'budget', which, reason: describeSpent(state, which) });

/** A met contract wins over a spent budget, so it is checked once more before the run ends. */
export function endAtBudget(state: RunState, agentId: AgentId, which: BudgetWhich): Action[] {
  if (state.settings.verification === 'none') return [stopForBudget(state, which)];
  return [{ kind: 'check', agentId, trigger: which }];
}
