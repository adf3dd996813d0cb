// What the check of a contract found.
import { z } from 'zod';
import { BlobRef } from '../blob-ref.ts';
import { BudgetWhich } from '../outcome.ts';
import { ms } from './units.ts';

/** Why a check ran: the model ended its turn, or this budget was spent. */
export const CheckTrigger = z.enum(['claim', ...BudgetWhich.options]);
export type CheckTrigger = z.infer<typeof CheckTrigger>;

export const CheckResult = z.enum(['met', 'notMet', 'notEvaluated']);
export type CheckResult = z.infer<typeof CheckResult>;

export const checkEvents = [
  z.strictObject({ type: z.literal('check-start'), trigger: CheckTrigger }),
  z.strictObject({
    type: z.literal('check-finish'),
    trigger: CheckTrigger,
    result: CheckResult,
    /** One line for people; the evidence holds the rest. */
    summary: z.string(),
    evidence: BlobRef,
    /** What enclosed the commands it ran; null when it ran none. */
    isolation: z.string().nullable(),
    durationMs: ms,
    activeMs: ms,
  }),
] as const;
