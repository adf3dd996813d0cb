// What enclosed the command of a call or of a check, what it reached of the network, and how it ended.
import { z } from 'zod';
import { count, ms } from './units.ts';

/** Whose command it was. Just one of the two is there. */
const owner = {
  call: count.optional(),
  /** Which command of the check that is under way, from 1. */
  check: z.int().positive().optional(),
};

export const sandboxEvents = [
  z.strictObject({
    type: z.literal('sandbox-create'),
    ...owner,
    /** What a check runs there, without its arguments; what a call runs there, the call says. */
    program: z.string().optional(),
    isolation: z.string(),
    /** It is given a way to some hosts. */
    network: z.literal(true).optional(),
  }),
  z.strictObject({
    type: z.literal('sandbox-cap'),
    ...owner,
    cap: z.enum(['wall', 'cpu', 'memory', 'processes', 'output', 'file', 'disk']),
    limit: z.number().nonnegative(),
    /** What was seen when it was noticed. */
    observed: z.number().nonnegative(),
    unit: z.enum(['ms', 'bytes', 'processes']),
    enforcement: z.enum(['kernel', 'polled']),
    /** Since the command began. */
    atMs: ms,
  }),
  z.strictObject({
    type: z.literal('sandbox-exit'),
    ...owner,
    end: z.enum(['exit', 'signal', 'cap', 'cancelled', 'not-started']),
    code: z.int().optional(),
    signal: z.string().optional(),
    /** What was wrong, when nothing ran. */
    stage: z.string().optional(),
    /** Processes that still ran when the wait for their end was given up; null where nobody can tell. */
    survivors: count.nullable(),
    durationMs: ms,
  }),
  z.strictObject({
    type: z.literal('sandbox-net'),
    call: count,
    /** A host that a command wanted to reach, as `host:port`, told when that was over. */
    target: z.string(),
    /** What was connected to, as `ip:port`; null where nothing was. */
    address: z.string().nullable(),
    allowed: z.boolean(),
    /** Why it was refused, failed or was cut off; absent for what came to its own end. */
    because: z.string().optional(),
    sentBytes: count,
    receivedBytes: count,
  }),
] as const;
