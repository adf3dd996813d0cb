// When a command is ended that does not end by itself: the same argument for every tool that runs one.
import { z } from 'zod';

export const TimeoutSeconds = z.int().min(1).max(600).optional().describe('When to end it; 120 when left out.');

const usualSeconds = 120;

export function toWallMs(timeoutSeconds: number | undefined): number {
  return (timeoutSeconds ?? usualSeconds) * 1000;
}
