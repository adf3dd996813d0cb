import { z } from 'zod';

export const count = z.int().nonnegative();
export const ms = z.number().nonnegative();
