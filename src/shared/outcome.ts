// How a run ended. Expected endings are values here, each with only its own data, and each with one exit code.
import { z } from 'zod';

const reason = z.string();

export const BudgetWhich = z.enum(['steps', 'wallMs', 'tokens', 'costUsd', 'riskyActs']);
export type BudgetWhich = z.infer<typeof BudgetWhich>;

export const RunOutcome = z.discriminatedUnion('kind', [
  /** The check held. */
  z.strictObject({ kind: z.literal('met'), checked: z.literal(true) }),
  /** The model ended its work and the contract names no check. */
  z.strictObject({ kind: z.literal('finished'), checked: z.literal(false) }),
  z.strictObject({ kind: z.literal('notMet'), reason }),
  z.strictObject({ kind: z.literal('stalled'), reason }),
  /** The check could not be carried out: neither passed nor failed. */
  z.strictObject({ kind: z.literal('notEvaluated'), reason }),
  z.strictObject({ kind: z.literal('invalid'), reason }),
  z.strictObject({ kind: z.literal('awaitingApproval'), requests: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('awaitingPlan') }),
  z.strictObject({ kind: z.literal('awaitingRecovery'), calls: z.array(z.string()).min(1) }),
  z.strictObject({ kind: z.literal('paused') }),
  z.strictObject({ kind: z.literal('refused'), reason }),
  z.strictObject({ kind: z.literal('budget'), which: BudgetWhich, reason }),
  z.strictObject({ kind: z.literal('providerFailed'), failure: z.string(), reason }),
  z.strictObject({ kind: z.literal('sandboxUnavailable'), reason }),
  z.strictObject({ kind: z.literal('storeFailed'), reason }),
  z.strictObject({ kind: z.literal('cancelled'), by: z.string() }),
  z.strictObject({ kind: z.literal('interrupted'), signal: z.enum(['SIGINT', 'SIGTERM']) }),
  /** A person took it back to the end of this step; it goes on from there when it is resumed. */
  z.strictObject({ kind: z.literal('rewound'), step: z.int().nonnegative() }),
]);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** The process exit code for an outcome, as documented in the README. */
export function toExitCode(outcome: RunOutcome): number {
  switch (outcome.kind) {
    case 'met':
    case 'finished':
      return 0;
    case 'notMet':
    case 'stalled':
    case 'notEvaluated':
      return 1;
    case 'invalid':
      return 2;
    case 'awaitingApproval':
    case 'awaitingPlan':
    case 'awaitingRecovery':
    case 'paused':
    case 'rewound':
      return 3;
    case 'refused':
      return 4;
    case 'budget':
      return 5;
    case 'providerFailed':
      return 6;
    case 'sandboxUnavailable':
      return 7;
    case 'storeFailed':
      return 8;
    case 'cancelled':
      return 9;
    case 'interrupted':
      return outcome.signal === 'SIGINT' ? 130 : 143;
  }
}

/** Endings that a resume returns as they are; every other one is a place to go on from. */
export function isFinal(outcome: RunOutcome): boolean {
  switch (outcome.kind) {
    case 'met':
    case 'finished':
    case 'notMet':
    case 'stalled':
    case 'invalid':
    case 'refused':
    case 'cancelled':
      return true;
    case 'notEvaluated':
    case 'awaitingApproval':
    case 'awaitingPlan':
    case 'awaitingRecovery':
    case 'paused':
    case 'budget':
    case 'providerFailed':
    case 'sandboxUnavailable':
    case 'storeFailed':
    case 'interrupted':
    case 'rewound':
      return false;
  }
}
