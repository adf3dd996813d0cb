// What can be said of a call that a crash interrupted and of which nobody can know whether it took effect: who settles it,
// and what a person may decide.
import { z } from 'zod';

/**
 * `retry`: judged and started anew. `completed`: it came to the result that is given with it. `abort`: neither. `defer`: the
 * question stays open, for whoever can tell.
 */
export const RecoveryChoice = z.enum(['retry', 'completed', 'abort', 'defer']);
export type RecoveryChoice = z.infer<typeof RecoveryChoice>;

/** A person decides, or the model is told that nobody can know. */
export const RecoveryPolicy = z.enum(['ask', 'tell-model']);
export type RecoveryPolicy = z.infer<typeof RecoveryPolicy>;
