// What became of a process that ran on between the calls of a run, and of the workspace until it ended.
import { z } from 'zod';
import { count, ms } from './units.ts';

export const processEvents = [
  z.strictObject({
    type: z.literal('process-exit'),
    process: z.string(),
    end: z.enum(['exit', 'signal', 'cap', 'cancelled', 'not-started']),
    code: z.int().optional(),
    signal: z.string().optional(),
    durationMs: ms,
    /** What it could do in the workspace. */
    access: z.enum(['read', 'write']),
    /** So many paths were covered up, so many compared afterwards, and these were kept by neither. */
    policyEnforcement: z.strictObject({ masked: count, checkedAfter: count, uncovered: z.array(z.string()) }),
    /** What is not as it was when it began, whoever it was that changed it. */
    changes: z.array(
      z.strictObject({
        path: z.string(),
        change: z.enum(['created', 'changed', 'removed']),
        /** `aside`: it may not be there, and lies on the shelf now. `restored`: it is again what it was. */
        became: z.enum(['kept', 'aside', 'restored', 'left']),
        /** Why it may not be written; absent for what may be. */
        because: z.string().optional(),
      }),
    ),
    /** Changes that are not told one by one. */
    untold: count,
    /** Where that lies which was put aside. */
    shelf: z.string().optional(),
  }),
] as const;
