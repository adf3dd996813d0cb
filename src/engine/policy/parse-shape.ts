import type { z } from 'zod';

/**
 * Like `safeParse`; null where the faults are too many to be told. The library passes all faults of a list on as arguments of
 * one call, and a file of a mebibyte can hold more of them than a call can take.
 */
export function parseShape<Shape>(schema: z.ZodType<Shape>, value: unknown): z.ZodSafeParseResult<Shape> | null {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
